// Hot path: Router.Publish -> this -> (on a miss) SubjectTree. Allocations: none once its table exists.
using System.Runtime.CompilerServices;

namespace Postrider.Broker.Subjects;

/// <summary>Matches of the subjects that one batch publishes to most.</summary>
/// <remarks>
/// Not thread-safe: one per batch. A subject takes a taken place only when it comes twice in a row there, so that
/// reply subjects, which come once, never push out the busy ones.
/// </remarks>
internal sealed class MatchCache<T>
    where T : class
{
    // 1,024 places of 112 bytes fit the second-level cache.
    private const int Places = 1024;
    private const int MaxKeyBytes = 64;

    private readonly Slot[] _slots = new Slot[Places];

    /// <summary>Look-ups answered from the cache.</summary>
    public long Hits { get; private set; }

    /// <summary>Look-ups that asked the tree.</summary>
    public long Misses { get; private set; }

    /// <summary>Finds what a subject reaches.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public MatchResult<T> Find(SubjectTree<T> tree, ReadOnlySpan<byte> subject)
    {
        var hash = ByteHash.Compute(subject);
        ref var slot = ref _slots[(int)hash & (Places - 1)];
        if (slot.Hash == hash && slot.Length == subject.Length && ReferenceEquals(slot.Tree, tree)
            && slot.Generation == tree.GenerationAt(slot.GenerationIndex)
            && subject.SequenceEqual(((ReadOnlySpan<byte>)slot.Key)[..slot.Length]))
        {
            Hits++;
            return slot.Result!;
        }
        return Miss(tree, subject, hash, ref slot);
    }

    /// <summary>The results kept now; for monitoring, from any thread.</summary>
    public IEnumerable<MatchResult<T>> Kept() => _slots.Where(static slot => slot.Result is not null).Select(static slot => slot.Result!);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private MatchResult<T> Miss(SubjectTree<T> tree, ReadOnlySpan<byte> subject, ulong hash, ref Slot slot)
    {
        Misses++;
        if (subject.Length > MaxKeyBytes) return tree.Match(subject);
        var isTaken = slot.Result is not null && slot.Hash != hash;
        if (isTaken && slot.Candidate != hash)
        {
            slot.Candidate = hash;
            return tree.Match(subject);
        }
        var generationIndex = SubjectTree<T>.GenerationIndex(subject);
        var generation = tree.GenerationAt(generationIndex);
        var result = tree.Match(subject);
        slot.Hash = hash;
        slot.Candidate = 0;
        slot.Generation = generation;
        slot.GenerationIndex = generationIndex;
        slot.Length = subject.Length;
        slot.Tree = tree;
        slot.Result = result;
        subject.CopyTo(slot.Key);
        return result;
    }

    private struct Slot
    {
        public ulong Hash;
        public ulong Candidate;
        public long Generation;
        public int GenerationIndex;
        public int Length;
        public SubjectTree<T>? Tree;
        public MatchResult<T>? Result;
        public KeyBytes Key;
    }

    [InlineArray(MaxKeyBytes)]
    private struct KeyBytes
    {
        private byte _first;
    }
}
