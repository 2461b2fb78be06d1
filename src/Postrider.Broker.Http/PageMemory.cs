using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>Bounds the bytes of large monitoring pages that wait for clients that do not read.</summary>
/// <remarks>Thread-safe. A list of 400,000 subscriptions has 19 MB.</remarks>
internal sealed class PageMemory
{
    /// <summary>Pages up to this size are not counted, because one connection has one page at a time.</summary>
    internal const int CountedBytes = 1 << 20;

    /// <summary>What larger pages may have that wait to be read. A page alone may be of any size.</summary>
    internal const long MaxWaitingBytes = 64 << 20;

    private long _waiting;

    /// <summary>Counts a page that waits to be read; <see cref="Release"/> ends this.</summary>
    /// <param name="content">The page; replaced with an error when too much waits already.</param>
    /// <returns>The bytes to release.</returns>
    internal int Take(ref PageContent content)
    {
        var bytes = content.Bytes.Length;
        if (bytes <= CountedBytes) return 0;
        var before = Interlocked.Add(ref _waiting, bytes) - bytes;
        if (before == 0 || before + bytes <= MaxWaitingBytes) return bytes;
        Release(bytes);
        content = PageContent.OfText(string.Create(CultureInfo.InvariantCulture, $"This page has {bytes} bytes, and pages of {before} bytes are waiting to be read by other clients; the limit is {MaxWaitingBytes}. Try again later, or request less with 'limit', 'acc' or 'cid'.\n"), StatusCodes.Status503ServiceUnavailable);
        return 0;
    }

    /// <summary>Ends the count of a page.</summary>
    /// <param name="bytes">The result of <see cref="Take"/>.</param>
    internal void Release(int bytes) => Interlocked.Add(ref _waiting, -bytes);
}
