using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;

namespace Postrider.Broker.Sessions;

/// <summary>The subscriptions of a client or a leaf node in the accounts that its own account imports from.</summary>
/// <remarks>Thread-safe: a reload changes the imports while the client subscribes, and any publisher's thread may end a subscription.</remarks>
internal sealed class ImportedSubscriptions
{
    // Guards the dictionary. Held together with the locks of SubjectTree and SubscriptionTable.
    private readonly Lock _gate = new();
    private readonly Dictionary<Subscription, List<(StreamImport Import, Subscription Subscription)>> _byOwn = [];

    /// <summary>Subscribes to the imports that a subscription covers, and ends those that it no longer covers.</summary>
    /// <param name="own">The subscription that the client made. Nothing happens if it has ended.</param>
    /// <param name="account">The client's account.</param>
    public void Update(Subscription own, Account account)
    {
        lock (_gate)
        {
            if ((own.Conditions & DeliveryConditions.Closed) != 0 || PeerInterest.IsLoopSubject(own.SubjectBytes)) return;
            var before = _byOwn.GetValueOrDefault(own) ?? [];
            var after = new List<(StreamImport Import, Subscription Subscription)>();
            foreach (var import in account.Imports?.Streams ?? [])
            {
                if (import.FindSubject(own.SubjectBytes) is not { } subject) continue;
                var known = before.Find(one => ReferenceEquals(one.Import, import)).Subscription;
                var subscription = known ?? import.Subscribe(own, subject);
                if (known is null && !import.Exporter.Subscriptions.Add(subject, own.QueueGroup, subscription)) continue;
                after.Add((import, subscription));
            }
            foreach (var (import, subscription) in before.Except(after)) subscription.Leave(import.Exporter.Subscriptions);
            if (after.Count > 0) _byOwn[own] = after;
            else _byOwn.Remove(own);
        }
    }

    /// <summary>Ends the imported subscriptions of a client's subscription that has ended.</summary>
    public void Remove(Subscription own)
    {
        lock (_gate)
        {
            if (!_byOwn.Remove(own, out var imported)) return;
            foreach (var (import, subscription) in imported) subscription.Leave(import.Exporter.Subscriptions);
        }
    }

    /// <summary>Changes the number of members of a leaf node's queue group.</summary>
    public void ChangeWeight(PeerSubscription own, int weight)
    {
        lock (_gate)
        {
            foreach (var (import, subscription) in _byOwn.GetValueOrDefault(own) ?? []) import.Exporter.Interest.ChangeWeight((PeerSubscription)subscription, weight);
        }
    }

    /// <summary>Sets the same delivery conditions as for the subscription that the client made.</summary>
    public void ReplaceConditions(Subscription own, DeliveryConditions which, DeliveryConditions conditions)
    {
        lock (_gate)
        {
            foreach (var (_, subscription) in _byOwn.GetValueOrDefault(own) ?? []) subscription.ReplaceConditions(which, conditions);
        }
    }
}
