// Hot path: Router.Publish, DeliveryTarget -> this. Allocations: none.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>The match of one subject, kept by a client that publishes to it repeatedly.</summary>
/// <remarks>Not thread-safe: guarded by its owner.</remarks>
internal struct CachedMatch
{
    private SubjectTree<Subscription>? _tree;
    private long _generation;
    private int _generationIndex;

    /// <summary>The match, valid while <see cref="IsCurrent"/>.</summary>
    public MatchResult<Subscription>? Result { get; private set; }

    /// <summary>Whether there is a match and no subscription was added or removed that could change it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    [MemberNotNullWhen(true, nameof(Result))]
    public readonly bool IsCurrent(SubjectTree<Subscription> tree)
        => ReferenceEquals(_tree, tree) && _generation == tree.GenerationAt(_generationIndex);

    /// <summary>Drops the match: another subject follows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Clear() => _tree = null;

    /// <summary>Matches the subject again and keeps the result; the batch counts the work.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public MatchResult<Subscription> Find(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, SendBatch? batch = null)
    {
        _generationIndex = SubjectTree<Subscription>.GenerationIndex(subject);
        // Before the match: a change during it makes the result stale.
        _generation = tree.GenerationAt(_generationIndex);
        Result = tree.Match(subject, out var steps);
        batch?.CountWork(steps);
        _tree = tree;
        return Result;
    }
}
