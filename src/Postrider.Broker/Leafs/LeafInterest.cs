using System.Security.Cryptography;
using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Leafs;

/// <summary>Announces the subscriptions of one account to its leaf node connections.</summary>
/// <remarks>Thread-safe: everything happens under the lock of the account's subscriptions, so that each connection receives each change once and in order.</remarks>
internal sealed class LeafInterest : ISubjectTreeWatcher<Subscription>
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private const int LoopTokenLength = 22;

    private readonly SubjectTree<Subscription> _tree;
    private readonly List<LeafInterestMap> _maps = [];

    /// <summary>Makes the interest of an account without connections.</summary>
    public LeafInterest(Account account)
    {
        _tree = account.Subscriptions;
        LoopSubject = Encoding.ASCII.GetBytes("$LDS." + RandomNumberGenerator.GetString(Alphabet, LoopTokenLength));
    }

    /// <summary>The subject that is announced on each connection; receiving it means that the servers form a loop.</summary>
    public byte[] LoopSubject { get; }

    /// <summary>Whether a subject is the one by which some server detects a loop.</summary>
    public static bool IsLoopSubject(ReadOnlySpan<byte> subject) => subject.StartsWith("$LDS."u8);

    /// <summary>Sends all interest over a connection, and what changes from now on.</summary>
    public void Attach(LeafInterestMap map) => _tree.Hold((this, map), static state =>
    {
        var (interest, added) = state;
        added.Begin(interest.LoopSubject, interest._tree.Items());
        interest._maps.Add(added);
        interest._tree.SetWatcher(interest);
    });

    /// <summary>Sends nothing more over a connection.</summary>
    public void Detach(LeafInterestMap map) => _tree.Hold((this, map), static state =>
    {
        var (interest, removed) = state;
        interest._maps.Remove(removed);
        if (interest._maps.Count == 0) interest._tree.SetWatcher(null);
    });

    /// <summary>Changes how many members of a queue group another server has.</summary>
    public void ChangeWeight(LeafSubscription subscription, int weight) => _tree.Hold((this, subscription, weight), static state =>
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
        foreach (var map in _maps) map.Add(item, LeafInterestMap.WeightOf(item));
    }

    /// <inheritdoc/>
    public void Removed(Subscription item)
    {
        foreach (var map in _maps) map.Add(item, -LeafInterestMap.WeightOf(item));
    }
}
