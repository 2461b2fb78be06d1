// Hot path: SubjectFilter -> this -> SubjectPattern. Allocations: none.
using System.Runtime.CompilerServices;

namespace Postrider.Storage.Subjects;

/// <summary>One filter with wildcards, split once: the part before the first wildcard is compared in one piece, and most
/// filters have nothing after it (<c>orders.*</c>, <c>orders.&gt;</c>), so that only a search for another dot remains.</summary>
/// <remarks>A scan of a million subjects calls it a million times while others wait for the stream. It agrees with
/// <see cref="SubjectPattern.IsMatch"/>, which a test verifies. Thread-safe: no state.</remarks>
internal sealed class WildcardFilter
{
    private readonly byte[] _prefix;
    private readonly byte[] _rest;
    private readonly bool _takesAll;
    private readonly bool _takesOneToken;

    /// <summary>Splits a filter.</summary>
    /// <param name="filter">The filter's bytes, with a wildcard.</param>
    public WildcardFilter(ReadOnlySpan<byte> filter)
    {
        var start = 0;
        for (var rest = filter; rest.IndexOf((byte)'.') is >= 0 and var dot && rest[..dot] is not [(byte)'*']; rest = filter[start..]) start += dot + 1;
        _prefix = filter[..start].ToArray();
        _rest = filter[start..].ToArray();
        _takesAll = _rest is [(byte)'>'];
        _takesOneToken = _rest is [(byte)'*'];
    }

    /// <summary>Whether a subject (no wildcards) is covered.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsMatch(ReadOnlySpan<byte> subject)
    {
        if (!subject.StartsWith(_prefix)) return false;
        var rest = subject[_prefix.Length..];
        return _takesOneToken ? !rest.Contains((byte)'.')
            : _takesAll ? rest.Length > 0
            : SubjectPattern.IsMatch(rest, _rest);
    }
}
