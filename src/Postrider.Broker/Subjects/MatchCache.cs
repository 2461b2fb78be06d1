// Hot path: Router.Publish -> this -> (on a miss) SubjectTree. Allocations: none once its table exists.
using System.Runtime.CompilerServices;

namespace Postrider.Broker.Subjects;

/// <summary>The matches of the subjects that one batch publishes to most.</summary>
/// <remarks>
/// Not thread-safe: one per batch. A subject is looked up in its slot and, if it is not found, in the three others of
/// the same set. It takes a used slot only when it is looked up twice within a short time, so that reply
/// subjects, which are used once, never replace the busy ones. The last subjects of which only the first tokens decided are
/// kept too, in slots for their beginnings: acknowledgements and the replies to one client have different subjects and the same match.
/// </remarks>
/// <param name="onMiss">Called with the number of steps of each match in the tree; may be null.</param>
internal sealed class MatchCache<T>(Action<int>? onMiss = null)
    where T : class
{
    // 1,024 slots of 112 bytes fit the second-level cache.
    private const int Places = 1024;
    private const int MaxKeyBytes = 64;

    // Of 100 subjects in use, five share their slot with another one on average: they need an alternative.
    private const int Ways = 4;

    // By the first character: those of acknowledgements and of inboxes differ.
    private const int Beginnings = 8;

    private readonly Slot[] _slots = new Slot[Places];
    private readonly Beginning[] _beginnings = new Beginning[Beginnings];
    private int _turn;

    /// <summary>Look-ups answered from the cache.</summary>
    public long Hits { get; private set; }

    /// <summary>Look-ups answered from the tree.</summary>
    public long Misses { get; private set; }

    /// <summary>Finds the match of a subject.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public MatchResult<T> Find(SubjectTree<T> tree, ReadOnlySpan<byte> subject)
    {
        // Accounts use the same subjects: the salt gives each account its own slots.
        var hash = ByteHash.Compute(subject) ^ tree.Salt;
        ref var slot = ref _slots[(int)hash & (Places - 1)];
        if (slot.Hash == hash && IsOf(in slot, tree, subject))
        {
            Hits++;
            return slot.Result!;
        }
        return FindElsewhere(tree, subject, hash);
    }

    /// <summary>The cached results; for monitoring, from any thread.</summary>
    /// <param name="tree">The tree of the matches; null for all trees.</param>
    public IEnumerable<MatchResult<T>> Kept(SubjectTree<T>? tree = null)
        => _slots.Where(slot => slot.Result is not null && (tree is null || ReferenceEquals(slot.Tree, tree))).Select(static slot => slot.Result!);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsOf(ref readonly Slot slot, SubjectTree<T> tree, ReadOnlySpan<byte> subject)
        => slot.Length == subject.Length && ReferenceEquals(slot.Tree, tree)
            && slot.Generation == tree.GenerationAt(slot.GenerationIndex)
            && subject.SequenceEqual(((ReadOnlySpan<byte>)slot.Key)[..slot.Length]);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private MatchResult<T> FindElsewhere(SubjectTree<T> tree, ReadOnlySpan<byte> subject, ulong hash)
    {
        ref var beginning = ref BeginningOf(subject);
        if (BeginsAs(in beginning.Slot, tree, subject) && tree.IsDecided(subject, hash ^ tree.Salt, beginning.Decisive))
        {
            Hits++;
            return beginning.Slot.Result!;
        }
        var home = (int)hash & (Places - 1);
        for (var way = 1; way < Ways; way++)
        {
            ref var slot = ref _slots[home ^ way];
            if (slot.Hash != hash || !IsOf(in slot, tree, subject)) continue;
            Hits++;
            return slot.Result!;
        }
        Misses++;
        var generationIndex = SubjectTree<T>.GenerationIndex(subject);
        // Before the match: a change during it makes the result stale.
        var generation = tree.GenerationAt(generationIndex);
        var result = Ask(tree, subject, hash, generationIndex, generation);
        if (subject.Length <= MaxKeyBytes && TryChoosePlace(home, hash, out var place))
        {
            _slots[place].Hash = hash;
            Fill(ref _slots[place], tree, subject, generationIndex, generation, result);
        }
        return result;
    }

    // The slot of this hash or an empty one; otherwise a slot in rotation, for a subject that was published a short while ago.
    private bool TryChoosePlace(int home, ulong hash, out int place)
    {
        var (free, candidate) = (-1, -1);
        for (var way = 0; way < Ways; way++)
        {
            place = home ^ way;
            ref var slot = ref _slots[place];
            if (slot.Result is null)
                free = free < 0 ? place : free;
            else if (slot.Hash == hash)
                return true;
            if (slot.Candidate == hash) candidate = place;
        }
        place = free;
        if (place >= 0) return true;
        place = home ^ (_turn++ & (Ways - 1));
        _slots[candidate < 0 ? place : candidate].Candidate = candidate < 0 ? hash : 0;
        return candidate >= 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool BeginsAs(ref readonly Slot slot, SubjectTree<T> tree, ReadOnlySpan<byte> subject)
        => ReferenceEquals(slot.Tree, tree) && subject.StartsWith(((ReadOnlySpan<byte>)slot.Key)[..slot.Length])
            && slot.Generation == tree.GenerationAt(slot.GenerationIndex);

    private MatchResult<T> Ask(SubjectTree<T> tree, ReadOnlySpan<byte> subject, ulong hash, int generationIndex, long generation)
    {
        var result = tree.Match(subject, hash ^ tree.Salt, out var steps, out var decisive);
        onMiss?.Invoke(steps);
        if (decisive.Bytes is 0 or > MaxKeyBytes) return result;
        ref var beginning = ref BeginningOf(subject);
        beginning.Decisive = decisive;
        Fill(ref beginning.Slot, tree, subject[..decisive.Bytes], generationIndex, generation, result);
        return result;
    }

    private ref Beginning BeginningOf(ReadOnlySpan<byte> subject) => ref _beginnings[subject.IsEmpty ? 0 : subject[0] & (Beginnings - 1)];

    private static void Fill(
        ref Slot slot, SubjectTree<T> tree, ReadOnlySpan<byte> key, int generationIndex, long generation, MatchResult<T> result)
    {
        slot.Generation = generation;
        slot.GenerationIndex = generationIndex;
        slot.Length = key.Length;
        slot.Tree = tree;
        slot.Result = result;
        key.CopyTo(slot.Key);
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

    private struct Beginning
    {
        public DecisiveBeginning Decisive;
        public Slot Slot;
    }

    [InlineArray(MaxKeyBytes)]
    private struct KeyBytes
    {
        private byte _first;
    }
}
