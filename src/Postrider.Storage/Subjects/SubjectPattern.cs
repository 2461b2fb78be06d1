namespace Postrider.Storage.Subjects;

/// <summary>Matches one subject against one filter, token by token.</summary>
/// <remarks>Thread-safe: no state. Source: NATS subject-based messaging, wildcards.</remarks>
internal static class SubjectPattern
{
    /// <summary>Whether the filter contains <c>*</c> or <c>&gt;</c> as a token.</summary>
    public static bool HasWildcard(ReadOnlySpan<byte> filter)
    {
        foreach (var range in filter.Split((byte)'.'))
        {
            var token = filter[range];
            if (token is [(byte)'*'] or [(byte)'>'])
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether <paramref name="subject"/> (no wildcards) is covered by <paramref name="filter"/>.</summary>
    public static bool IsMatch(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> filter)
    {
        while (true)
        {
            var filterDot = filter.IndexOf((byte)'.');
            var token = filterDot < 0 ? filter : filter[..filterDot];
            if (filterDot < 0 && token is [(byte)'>'])
            {
                return subject.Length > 0;
            }

            var subjectDot = subject.IndexOf((byte)'.');
            if (token is not [(byte)'*'] && !token.SequenceEqual(subjectDot < 0 ? subject : subject[..subjectDot]))
            {
                return false;
            }

            if (filterDot < 0 || subjectDot < 0)
            {
                return filterDot < 0 && subjectDot < 0;
            }

            filter = filter[(filterDot + 1)..];
            subject = subject[(subjectDot + 1)..];
        }
    }
}
