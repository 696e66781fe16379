@echo off
rem coffer: objects and secrets of your services, from the command line. Runs what npm start has built. A package brings coffer.exe instead.
setlocal
if not exist "%~dp0..\out\main\command.js" (
  echo coffer: not built yet. Run npm start in the folder above "%~dp0" once. 1>&2
  exit /b 1
)
set "NODE=%~dp0..\node_modules\node\bin\node.exe"
if exist "%NODE%" goto run
set "NODE=node"
if defined COFFER_NODE set "NODE=%COFFER_NODE%"
set "VERSION="
for /f "delims=v. tokens=1" %%v in ('""%NODE%" --version 2>nul"') do set "VERSION=%%v"
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
"%NODE%" --disable-warning=ExperimentalWarning -- "%~dp0..\out\main\command.js" %*
