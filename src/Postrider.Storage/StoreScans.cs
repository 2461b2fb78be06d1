using Postrider.Storage.Blocks;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>Passes over everything in a store that neither hold it for long nor leave much of it in memory.</summary>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class StoreScans(MessageStore store)
{
    /// <summary>Finds the first message with headers at or after <paramref name="from"/>: told by the indexes, no record is read.</summary>
    /// <remarks>Keeps one index at a time: it is for a pass over everything.</remarks>
    public bool TryFindNextWithHeaders(ulong from, out ulong sequence)
    {
        for (var i = store.Blocks.IndexAtOrAfter(from); i < store.Blocks.Count; i++)
        {
            var block = store.Blocks[i];
            var lengths = block.Index.Lengths.Span;
            var slot = from > block.First ? (int)(from - block.First) : 0;
            while (slot < lengths.Length && lengths[slot..].IndexOfAnyInRange(int.MinValue, -1) is var step and >= 0)
            {
                slot += step;
                if (!block.Removed.Contains(slot))
                {
                    sequence = block.First + (ulong)slot;
                    return true;
                }

                slot++;
            }

            store.Release(block);
        }

        sequence = 0;
        return false;
    }

    /// <summary>Visits a part of the subjects, so that others get at the store in between.</summary>
    /// <param name="filter">Which subjects.</param>
    /// <param name="place">Where to go on: 0 at first, -1 when all were visited. A subject that comes or goes meanwhile may be missed
    /// or met twice.</param>
    /// <param name="max">Subjects to be looked at.</param>
    /// <param name="context">Handed through.</param>
    /// <param name="visit">Gets the context, the subject (valid during the call) and its state; what it returns does not count.</param>
    public void VisitSomeSubjects<TContext>(SubjectFilter filter, ref int place, int max, TContext context, SubjectVisitor<TContext> visit)
    {
        if (filter.HasOnlyLiterals)
        {
            store.Queries.VisitSubjects(filter, context, visit);
            place = -1;
            return;
        }

        filter.Bind(store.Subjects);
        for (var end = Math.Min(place + max, store.Subjects.IdLimit); place < end; place++)
        {
            if (store.Subjects.IsUsed(place) && (filter.IsAll || filter.Matches(place)))
            {
                visit(context, store.Subjects.NameOf(place), store.Queries.StateOf(place));
            }
        }

        if (place >= store.Subjects.IdLimit)
        {
            place = -1;
        }
    }
}
