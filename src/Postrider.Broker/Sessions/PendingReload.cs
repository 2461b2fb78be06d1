using Postrider.Broker.Accounts;

namespace Postrider.Broker.Sessions;

/// <summary>What a reload changed for a session besides the limits, which stand in the options.</summary>
/// <param name="User">Who the client is now, with the permissions of now; null when it has not said who it is.</param>
internal sealed record PendingReload(User? User);
