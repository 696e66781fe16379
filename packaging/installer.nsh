; Coffer registers its links when it starts (registerLinks in opened-links.ts), for this user. Left alone where another Coffer, such as
; that of the zip, has registered itself since.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ReadRegStr $R0 HKCU "Software\Classes\coffer\shell\open\command" ""
    ${if} $R0 == '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
      DeleteRegKey HKCU "Software\Classes\coffer"
    ${endIf}
  ${endIf}
!macroend
