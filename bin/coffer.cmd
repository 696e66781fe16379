@echo off
rem coffer: objects and secrets of your services, from the command line. Runs what npm start has built. A package brings coffer.exe instead.
setlocal
if not exist "%~dp0..\out\main\command.js" (
  echo coffer: not built yet. Run npm start in the folder above "%~dp0" once. 1>&2
  exit /b 1
)
set "OWN=%~dp0..\node_modules\node\bin\node.exe"
set "NODE=node"
if defined COFFER_NODE set "NODE=%COFFER_NODE%"
set "VERSION="
set "NUMBER=0"
set "OWNNUMBER=0"
for /f "delims=v. tokens=1-3" %%a in ('""%NODE%" --version 2>nul"') do set "VERSION=%%a"& set /a "NUMBER=(%%a*1000+%%b)*1000+%%c"
if defined COFFER_NODE goto check
if not exist "%OWN%" goto check
rem A checkout has a Node of its own, which stays as old as the checkout: a newer one on the PATH has newer security fixes.
for /f "delims=v. tokens=1-3" %%a in ('""%OWN%" --version 2>nul"') do set /a "OWNNUMBER=(%%a*1000+%%b)*1000+%%c"
if %OWNNUMBER% LSS %NUMBER% goto check
set "NODE=%OWN%"
goto run
:check
if not defined VERSION (
  echo coffer: Node 24 or newer is not on the PATH. Install it, or say where it is with COFFER_NODE. 1>&2
  exit /b 1
)
if %VERSION% LSS 24 (
  echo coffer: needs Node 24 or newer, and this is %VERSION%. Say where a newer one is with COFFER_NODE. 1>&2
  exit /b 1
)
:run
rem After two dashes Node leaves the words alone: it would read --env-file itself, wherever it stands.
rem 4 MB for new objects: see bin/coffer.
"%NODE%" --disable-warning=ExperimentalWarning --min-semi-space-size=4 --max-semi-space-size=4 -- "%~dp0..\out\main\command.js" %*
