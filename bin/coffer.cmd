@echo off
setlocal
set "NODE=%~dp0..\node_modules\node\bin\node.exe"
if not exist "%NODE%" set "NODE=node"
if defined COFFER_NODE set "NODE=%COFFER_NODE%"
"%NODE%" --disable-warning=ExperimentalWarning "%~dp0..\out\main\command.js" %*
