using System.Text;
using Postrider.Storage;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Finds the message that a get requests. Called with the stream's lock held.</summary>
internal static class MessageSearch
{
    /// <summary>Finds a message: by sequence, the next one of a subject, or the newest one of a subject.</summary>
    public static bool TryFind(MessageStore store, ulong sequence, string? nextOf, string? lastOf, out ulong found)
    {
        if (!string.IsNullOrEmpty(nextOf)) return store.Queries.TryFindNext(new SubjectFilter(nextOf), sequence, out found);
        if (sequence > 0)
        {
            found = sequence;
            return true;
        }
        return TryFindLast(store, lastOf ?? "", out found);
    }

    /// <summary>Finds the newest message of a subject or pattern.</summary>
    public static bool TryFindLast(MessageStore store, string subject, out ulong found)
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        if (SubjectPattern.HasWildcard(bytes)) return store.Queries.TryFindPrevious(new SubjectFilter(subject), store.LastSequence, out found);
        var exists = store.Queries.TryGetSubject(bytes, out var state);
        found = state.Last;
        return exists;
    }
}
