using System.Text;

namespace Postrider.Wire.Frames;

/// <summary>Rules of NATS subjects: tokens separated by dots, <c>*</c> for one token, <c>&gt;</c> for one or more at the end.</summary>
/// <remarks>Subjects are bytes, compared byte by byte. Source: NATS subject-based messaging.</remarks>
public static class Subject
{
    /// <summary>Whether a subject may be subscribed to: no empty token, <c>&gt;</c> only as the last one, no white space.</summary>
    /// <param name="subject">The subject's UTF-8 bytes.</param>
    /// <returns>True for a subject with or without wildcards.</returns>
    public static bool IsValid(ReadOnlySpan<byte> subject)
    {
        if (subject.IsEmpty) return false;
        var start = 0;
        while (true)
        {
            var dot = subject[start..].IndexOf((byte)'.');
            var token = dot < 0 ? subject[start..] : subject.Slice(start, dot);
            if (token.IsEmpty || token.IndexOfAny(" \t\n\r\f"u8) >= 0) return false;
            if (dot < 0) return true;
            if (token.Length == 1 && token[0] == '>') return false;
            start += dot + 1;
        }
    }

    /// <summary>Whether a subject may be published to: valid and without wildcard tokens.</summary>
    /// <param name="subject">The subject's UTF-8 bytes.</param>
    /// <returns>False for wildcards; <c>a*</c> is literal, because a wildcard must be a whole token.</returns>
    public static bool IsLiteral(ReadOnlySpan<byte> subject) => IsValid(subject) && !HasWildcard(subject);

    /// <summary>Whether the subject has a wildcard token.</summary>
    /// <param name="subject">A valid subject.</param>
    /// <returns>True if the subject can match more than itself.</returns>
    public static bool HasWildcard(ReadOnlySpan<byte> subject)
    {
        for (var i = 0; i < subject.Length; i++)
        {
            if (subject[i] is not ((byte)'*' or (byte)'>')) continue;
            var starts = i == 0 || subject[i - 1] == '.';
            var ends = i + 1 == subject.Length || subject[i + 1] == '.';
            if (starts && ends) return true;
        }
        return false;
    }

    /// <summary>Whether a pattern covers a subject; the subject's own wildcards count as literal tokens.</summary>
    /// <param name="subject">A literal subject, or a narrower pattern.</param>
    /// <param name="pattern">A valid subject, with or without wildcards.</param>
    /// <returns>True if every subject that matches <paramref name="subject"/> also matches <paramref name="pattern"/>.</returns>
    public static bool Matches(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> pattern)
    {
        while (true)
        {
            var patternToken = NextToken(ref pattern, out var patternEnded);
            if (patternToken is [(byte)'>'] && patternEnded) return true;
            var subjectToken = NextToken(ref subject, out var subjectEnded);
            if (patternToken is [(byte)'*'])
            {
                if (subjectToken is [(byte)'>'] && subjectEnded) return false;
            }
            else if (!patternToken.SequenceEqual(subjectToken))
            {
                return false;
            }
            if (patternEnded || subjectEnded) return patternEnded && subjectEnded;
        }
    }

    /// <summary>Whether two subjects, each with or without wildcards, can match a common literal subject.</summary>
    /// <param name="first">A valid subject.</param>
    /// <param name="second">A valid subject.</param>
    /// <returns>True when they overlap.</returns>
    public static bool Collide(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        while (true)
        {
            var a = NextToken(ref first, out var firstEnded);
            var b = NextToken(ref second, out var secondEnded);
            if ((a is [(byte)'>'] && firstEnded) || (b is [(byte)'>'] && secondEnded)) return true;
            if (a is not [(byte)'*'] && b is not [(byte)'*'] && !a.SequenceEqual(b)) return false;
            if (firstEnded || secondEnded) return firstEnded && secondEnded;
        }
    }

    /// <summary>The number of tokens: one more than the dots.</summary>
    /// <param name="subject">A subject; not checked.</param>
    /// <returns>1 and up.</returns>
    public static int CountTokens(ReadOnlySpan<byte> subject) => subject.Count((byte)'.') + 1;

    /// <summary>The subject as text, for logs and errors.</summary>
    /// <param name="subject">UTF-8 bytes; invalid UTF-8 becomes U+FFFD.</param>
    /// <returns>A string.</returns>
    public static string ToText(ReadOnlySpan<byte> subject) => Encoding.UTF8.GetString(subject);

    private static ReadOnlySpan<byte> NextToken(ref ReadOnlySpan<byte> rest, out bool ended)
    {
        var dot = rest.IndexOf((byte)'.');
        ended = dot < 0;
        var token = ended ? rest : rest[..dot];
        rest = ended ? [] : rest[(dot + 1)..];
        return token;
    }
}
