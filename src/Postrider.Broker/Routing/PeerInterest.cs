using System.Security.Cryptography;
using System.Text;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Routing;

/// <summary>Announces the subscriptions of one account to other servers.</summary>
/// <remarks>Thread-safe: everything happens under the lock of the account's subscriptions, so that each connection receives each change once and in order.</remarks>
/// <param name="tree">The account's subscriptions.</param>
/// <param name="findMapped">Returns the sources of the account's current mappings. Called under the lock.</param>
internal sealed class PeerInterest(SubjectTree<Subscription> tree, Func<IReadOnlyList<MappedInterest>> findMapped) : ISubjectTreeWatcher<Subscription>
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private const int LoopTokenLength = 22;

    private readonly List<InterestMap> _maps = [];
    private IReadOnlyList<MappedInterest> _mapped = [];

    /// <summary>The subject that is announced on each leaf node connection; receiving it means that the servers form a loop.</summary>
    public byte[] LoopSubject { get; } = Encoding.ASCII.GetBytes("$LDS." + RandomNumberGenerator.GetString(Alphabet, LoopTokenLength));

    /// <summary>Whether a subject is one that some server uses to detect loops.</summary>
    public static bool IsLoopSubject(ReadOnlySpan<byte> subject) => subject.StartsWith("$LDS."u8);

    /// <summary>Sends all interest over a connection, and its changes from now on.</summary>
    public void Attach(InterestMap map) => tree.Hold((this, map), static state =>
    {
        var (interest, added) = state;
        if (interest._maps.Count == 0) interest._mapped = interest.FindMapped();
        added.Begin(interest.LoopSubject, interest.Items());
        interest._maps.Add(added);
        interest.Watch(interest);
    });

    /// <summary>Stops sending interest over a connection.</summary>
    public void Detach(InterestMap map) => tree.Hold((this, map), static state =>
    {
        var (interest, removed) = state;
        interest._maps.Remove(removed);
        if (interest._maps.Count == 0) interest.Watch(null);
    });

    /// <summary>Sends the differences after the account's mappings have changed.</summary>
    public void RefreshMapped() => tree.Hold(this, static interest =>
    {
        if (interest._maps.Count == 0) return;
        var (before, after) = (interest._mapped, interest.FindMapped());
        interest._mapped = after;
        foreach (var map in interest._maps)
        {
            // In this order nothing is sent about those that stay.
            foreach (var added in after) map.Add(added, 1);
            foreach (var removed in before) map.Add(removed, -1);
        }
    });

    /// <summary>Recounts all interest, because the permissions of a connection have changed, and sends the differences.</summary>
    public void Refresh(InterestMap map) => tree.Hold((this, map), static state => state.map.Refresh(state.Item1.Items()));

    /// <summary>Sends the interest over a connection again.</summary>
    /// <param name="map">The interest that was sent.</param>
    /// <param name="filter">Selects the subjects.</param>
    public void SendAgain(InterestMap map, InterestFilter filter) => tree.Hold((map, filter), static state => state.map.SendAgain(state.filter));

    /// <summary>Changes the number of members of another server's queue group.</summary>
    public void ChangeWeight(PeerSubscription subscription, int weight) => tree.Hold((this, subscription, weight), static state =>
    {
        var (interest, changed, members) = state;
        var delta = Math.Max(1, members) - changed.Weight;
        changed.Weight = members;
        if (delta == 0) return;
        foreach (var map in interest._maps) map.Add(changed, delta);
    });

    /// <inheritdoc/>
    public void Added(Subscription item)
    {
        foreach (var map in _maps) map.Add(item, InterestMap.WeightOf(item));
    }

    /// <inheritdoc/>
    public void Removed(Subscription item)
    {
        foreach (var map in _maps) map.Add(item, -InterestMap.WeightOf(item));
    }

    private IEnumerable<Subscription> Items() => tree.Items().Concat(_mapped);

    private IReadOnlyList<MappedInterest> FindMapped() => findMapped();

    private void Watch(PeerInterest? watcher) => tree.SetWatcher(watcher);
}
