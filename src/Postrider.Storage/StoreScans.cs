using Postrider.Storage.Blocks;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>Scans of a whole store that neither hold it for long nor leave much of it in memory.</summary>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class StoreScans(MessageStore store)
{
    /// <summary>Finds the first message with headers at or after <paramref name="from"/>, using only the indexes; no record is read.</summary>
    /// <remarks>Keeps one index at a time: it is meant for a scan of the whole store.</remarks>
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

    /// <summary>Visits some of the subjects, so that the caller can release the store in between.</summary>
    /// <param name="filter">The subjects.</param>
    /// <param name="place">Where to continue: 0 at first, -1 when all were visited. A subject that is added or removed meanwhile may be missed
    /// or visited twice.</param>
    /// <param name="max">Maximum number of subjects to visit.</param>
    /// <param name="context">Passed to <paramref name="visit"/>.</param>
    /// <param name="visit">Called with the context, the subject (valid during the call) and its state; the result is ignored.</param>
    public void VisitSomeSubjects<TContext>(SubjectFilter filter, ref int place, int max, TContext context, SubjectVisitor<TContext> visit)
    {
        if (filter.HasOnlyLiterals)
        {
            store.Queries.VisitSubjects(filter, context, visit);
            place = -1;
            return;
        }

        filter.BindOnce(store.Subjects);
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
