using Postrider.Broker.Accounts;

namespace Postrider.Broker.Sessions;

/// <summary>The changes of a reload for a session, except for the limits, which are in the options.</summary>
/// <param name="User">The client's user, with its current permissions; null when it has not authenticated.</param>
internal sealed record PendingReload(User? User);
