import { messages } from './messages.ts';

/** Failures of a team's list. `server`: problems of its server, or of this person there; also used where no error is shown. */
export const teamMessages = messages('team', {
  badInvitation: {
    title: 'This invitation can’t be used',
    notOne: {
      what: 'It doesn’t begin with “coffer-team:”.',
      next: 'Copy the whole line that you were sent.',
    },
    cut: { what: 'A part of it is missing or was changed.', next: 'Copy the whole line that you were sent.' },
    newer: { what: 'A newer version of Coffer made it.', next: 'Update Coffer, then paste it again.' },
  },
  serverTitle: 'The team’s server: {host}',
  server: {
    unreachable: {
      what: 'It can’t be reached.',
      next: 'Check the address and the network. Everything else in Coffer goes on.',
    },
    localNetwork: {
      what: 'It is in the local network and doesn’t answer, or macOS keeps Coffer out of that network.',
      next: 'Allow Coffer in System Settings under Privacy & Security, Local Network. If it is allowed there, check that the server is on.',
    },
    closed: { what: 'It closed the connection.', next: 'Try again in a moment.' },
    silent: { what: 'It didn’t answer in time.', next: 'Try again in a moment.' },
    busy: { what: 'It accepts no more connections.', next: 'Try again in a moment.' },
    certificate: {
      what: 'Its certificate isn’t trusted, or is for another address.',
      next: 'Ask whoever runs the server for its address and its authority’s certificate.',
    },
    clientCertificate: {
      what: 'It wants another client certificate.',
      next: 'Choose the one that you were given for this server.',
    },
    encryption: {
      what: 'It doesn’t encrypt connections in a way that Coffer accepts.',
      next: 'Whoever runs the server has to switch on TLS.',
    },
    broken: {
      what: 'It doesn’t answer like PostgreSQL.',
      next: 'Check the address and the port.',
    },
    login: {
      what: 'It doesn’t accept the role or the password.',
      next: 'Check the password. An invitation works once, on one computer: if it has been used, ask whoever runs the server for a new password.',
    },
    unsafeLogin: {
      what: 'It asks for the password in a way that would give it away. Coffer sent nothing.',
      next: 'Whoever runs the server has to choose SCRAM-SHA-256 for the role.',
    },
    noAccess: {
      what: 'The role isn’t a member of the team.',
      next: 'Whoever runs the server has to make it a member of coffer_member.',
    },
    ended: {
      what: 'You aren’t a member of the team there.',
      next: 'Ask a manager of the team. What you have stored yourself stays on your list when you leave.',
    },
    oldServer: {
      what: 'It is an old PostgreSQL that shows members what they may not see.',
      next: 'Whoever runs the server has to update it to 15.14, 16.10, 17.6, 18 or newer.',
    },
    noTeam: {
      what: 'There is no team’s list in this database.',
      next: 'Check the name of the database.',
    },
    otherSchema: {
      what: 'The database holds a team’s list of another kind.',
      next: 'Check the name of the database, or update Coffer.',
    },
    oldSchema: {
      what: 'An earlier version of Coffer made it ready for a team, and it can show members more than they may see.',
      next: 'Whoever owns the database brings it up to date: with “Create a team…” or “coffer team create”, naming its list and one of its managers. Coffer then continues.',
    },
    full: { what: 'Its disk is full, so your changes wait here.', next: 'Tell whoever runs the server.' },
    locked: {
      what: 'Somebody else keeps the list locked, so your changes wait here.',
      next: 'Coffer tries again.',
    },
    readOnly: { what: 'It takes no changes now, so yours wait here.', next: 'Coffer tries again.' },
    newer: { what: 'It needs a newer version of Coffer.', next: 'Update Coffer. Your changes wait here.' },
    fault: { what: 'It had an error. Your changes wait here.', next: 'Coffer tries again.' },
  },
  noPassword: {
    what: 'There is no password for the team’s server on this computer.',
    next: 'Sign in to the team again.',
  },
  local: {
    what: 'The team’s changes can’t be written on this computer.',
    next: 'Check that the disk isn’t full. The log in Settings may tell more.',
  },
  state: {
    live: 'Live',
    filling:
      '{count, plural, =0 {Loading the team’s list…} one {Loading the team’s list, # object so far} other {Loading the team’s list, # objects so far}}',
    connecting: 'Connecting',
    asOf: 'As of {time}',
    notYet: 'Not read yet',
    refused: 'The team refuses you',
    noPassword: 'The password is missing',
    off: 'Followed while Coffer is open',
    due: '{count, plural, one {{state}, # change waits} other {{state}, # changes wait}}',
  },
  passwordMissing: {
    title: 'No password for the team’s server',
    what: 'There is no password for {role} at {host} on this computer.',
    next: 'Enter it, or paste an invitation.',
  },
  inTeam: {
    title: 'This service has a team already',
    join: 'It has the list “{list}”.',
    address: 'Its list “{list}” is about the service at its present address.',
    next: 'Leave the team first.',
  },
  addressDiffers: {
    title: 'The list is about another address',
    what: '“{list}” is about {listAddress}, and your service is at {serviceAddress}. If these are two services, everybody’s list would be wrong.',
    next: 'Choose the service that the list is about. Join only if both addresses lead to the same service.',
  },
  differs: {
    title: 'Not the server of this team',
    what: 'This service has joined as {role} at {host}.',
    next: 'Use an invitation for that one, or leave the team first.',
  },
  unshared: {
    title: 'The team doesn’t have all of your changes',
    what: '{count, plural, one {# change waits here and would never reach the team.} other {# changes wait here and would never reach the team.}}',
    next: 'Let them be shared first, or leave without them.',
  },
  invite: {
    title: 'Nobody was invited',
    notCurator: { what: 'Only managers of the whole list can invite.', next: 'Ask one of them.' },
    yourself: {
      what: 'The role {role} is your own.',
      next: 'For another computer of yours, choose “Add another computer” instead.',
    },
    superuser: {
      what: 'The role {role} is a superuser, and sees everything on the server whatever access you give it.',
      next: 'Invite the person by a role of their own.',
    },
    noRole: {
      what: 'The team has no role {role} on its server, and you can’t create one.',
      next: 'Whoever runs the server has to make it, as a member of coffer_member. Then invite again.',
    },
    closed: {
      what: 'The role {role} may not log in on the server, and you may not change that.',
      next: 'Whoever runs the server has to let it log in. Then invite again.',
    },
    notAllowed: {
      what: 'You may not give {role} access to the list.',
      next: 'Ask someone who manages every list that this person sees.',
    },
    longAuthority: {
      what: 'The certificates that sign the server’s are too long for an invitation.',
      next: 'Give the file with the authority’s certificate and the server’s address instead. They join without an invitation.',
    },
  },
  curate: {
    title: 'Nothing was changed for the team',
    notCurator: { what: 'Only managers of the whole list can do that.', next: 'Ask one of them.' },
    lastCurator: {
      what: 'Nobody would manage the whole list any more.',
      next: 'Let someone else manage it first.',
    },
    areaThere: {
      what: 'There is an area of this folder and classification already.',
      next: 'Change access to that one.',
    },
    tooManyAreas: { what: 'A list has up to 1,000 areas.', next: 'Remove one first.' },
    wholeList: {
      what: 'The area of the whole list holds what is in no other one.',
      next: 'Change access to it instead.',
    },
    otherLists: {
      what: 'The person also sees another list of the team, which you don’t manage.',
      next: 'Ask someone who manages every list that this person sees.',
    },
  },
  create: {
    title: 'The list wasn’t created',
    notOwner: {
      what: 'The database {database} doesn’t belong to {role}.',
      next: 'Sign in with the role that owns the database, or ask whoever runs the server to make the list.',
    },
    notEmpty: {
      what: 'Other programs use the database {database}.',
      next: 'Use a database of its own for the team.',
    },
    encoding: {
      what: 'The database {database} doesn’t have the encoding UTF8.',
      next: 'Use another database. An encoding can’t be changed.',
    },
    otherSchema: {
      what: 'The database {database} holds a team’s list of another kind.',
      next: 'Use another database.',
    },
    newerSchema: { what: 'A newer version of Coffer made it ready for a team.', next: 'Update Coffer.' },
    noMemberRole: {
      what: 'The role coffer_member isn’t there, and {role} can’t create roles.',
      next: 'Whoever runs the server has to run “create role coffer_member nologin”. Then try again.',
    },
    noRole: {
      what: 'There is no role {role} in coffer_member, and you can’t create it.',
      next: 'Whoever runs the server has to make it, in role coffer_member. Then try again.',
    },
    superuser: {
      what: 'The role {role} is a superuser, and Coffer would keep its password on the manager’s computer.',
      next: 'Name a role of the manager’s own.',
    },
    closed: {
      what: 'The role {role} may not log in on the server, and you may not change that.',
      next: 'Name another role, or have whoever runs the server let it log in.',
    },
    nameTaken: {
      what: 'There is a list of this name in the database {database}.',
      next: 'Choose another name, or that list.',
    },
  },
});
