using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Reads the state of an account for monitoring. Callable from any thread.</summary>
internal static class AccountStateMapper
{
    /// <summary>The account's state now.</summary>
    /// <param name="account">The account.</param>
    /// <param name="open">Its open sessions.</param>
    /// <param name="jetStream">The streams; null where JetStream is disabled.</param>
    public static AccountState Read(Account account, IEnumerable<ClientSession> open, JetStreamEngine? jetStream)
    {
        var sums = account.ClosedTraffic.Read();
        foreach (var session in open)
        {
            var outbox = session.Connection.Outbox;
            sums += new AccountCounters(session.InMessages, session.InBytes, outbox.Messages, outbox.MessageBytes, 0);
        }
        return new AccountState
        {
            Name = account.Name,
            IsSystem = account.IsSystem,
            UpdatedAt = account.UpdatedAt,
            JetStream = jetStream?.Accounts.Any(streams => ReferenceEquals(streams.Account, account)) == true,
            Connections = account.Connections,
            Subscriptions = account.Subscriptions.Count,
            InMessages = sums.InMessages,
            InBytes = sums.InBytes,
            OutMessages = sums.OutMessages,
            OutBytes = sums.OutBytes,
            SlowConsumers = sums.SlowConsumers,
            Exports = account.Definition.Exports,
            Imports = account.Definition.Imports,
            Mappings = account.Definition.Mappings,
        };
    }
}
