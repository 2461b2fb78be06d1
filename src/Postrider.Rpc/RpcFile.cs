using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;

namespace Postrider.Rpc;

/// <summary>The result of an operation that gives a file: over HTTP its bytes as they are, with ranges, entity tags and times.</summary>
/// <remarks>
/// <para>The implementation makes one of a stream, which is closed when the answer is sent. A stream that can seek is sent from where a range
/// begins; nothing is held in memory but what is on its way. The caller gets one whose <see cref="Content"/> comes as it is read; it is to be disposed.</para>
/// <para>Over HTTP and in process only: other transports fail such a call with <see cref="RpcStatus.Unsupported"/>. Not thread-safe.</para>
/// </remarks>
public sealed class RpcFile : IDisposable, IAsyncDisposable
{
    private readonly string? _entityTag;
    private readonly IDisposable? _owner;

    /// <summary>A file.</summary>
    /// <param name="content">Its bytes; owned from here on.</param>
    /// <param name="contentType">Their media type.</param>
    public RpcFile(Stream content, string contentType = "application/octet-stream")
    {
        ArgumentNullException.ThrowIfNull(content);
        ArgumentException.ThrowIfNullOrEmpty(contentType);
        (Content, ContentType) = (content, contentType);
    }

    internal RpcFile(Stream content, string contentType, IDisposable owner)
        : this(content, contentType)
        => _owner = owner;

    /// <summary>The bytes.</summary>
    public Stream Content { get; }

    /// <summary>Their media type.</summary>
    public string ContentType { get; }

    /// <summary>Under what name browsers save it; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>Browsers show it instead of saving it.</summary>
    public bool IsInline { get; init; }

    /// <summary>What changes with the bytes, <c>"v1"</c> with its quotes for example; null for none.</summary>
    /// <exception cref="ArgumentException">It is no entity tag.</exception>
    public string? EntityTag
    {
        get => _entityTag;
        init => _entityTag = value is null || EntityTagHeaderValue.TryParse(value, out _) ? value
            : throw new ArgumentException($"'{value}' is not an entity tag. Entity tags are quoted: \"v1\" or W/\"v1\".", nameof(value));
    }

    /// <summary>When the bytes last changed; null when nobody knows. HTTP counts whole seconds.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>How long who may keep it, <c>public, max-age=3600</c> for example; null says nothing.</summary>
    public string? CacheControl { get; init; }

    /// <summary>At the caller: how many bytes come, or null when that is not known.</summary>
    public long? Length { get; init; }

    /// <summary>At the caller: where in the whole file the bytes begin, when a part was asked for by the header <c>Range</c>; null for the whole.</summary>
    public long? Offset { get; init; }

    /// <summary>At the caller: what was asked for by <c>If-None-Match</c> or <c>If-Modified-Since</c> has not changed, and no bytes come.</summary>
    public bool IsUnchanged { get; init; }

    /// <summary>A file of the file system, with its time and an entity tag made of time and length.</summary>
    /// <param name="path">Where it is.</param>
    /// <param name="contentType">Its media type.</param>
    /// <returns>The file, open.</returns>
    /// <exception cref="RpcException">It is not there: <see cref="RpcStatus.NotFound"/>, which is what the caller is told.</exception>
    /// <exception cref="IOException">It cannot be opened.</exception>
    public static RpcFile FromPath(string path, string contentType = "application/octet-stream")
    {
        var stream = Open(path);
        var changed = File.GetLastWriteTimeUtc(stream.SafeFileHandle);
        return new RpcFile(stream, contentType)
        {
            Name = Path.GetFileName(path),
            LastModified = new DateTimeOffset(changed),
            EntityTag = $"\"{changed.Ticks:x}-{stream.Length:x}\"",
        };
    }

    /// <summary>A file in memory, with an entity tag made of its bytes.</summary>
    /// <param name="bytes">The bytes; not copied.</param>
    /// <param name="contentType">Their media type.</param>
    /// <returns>The file.</returns>
    public static RpcFile FromBytes(byte[] bytes, string contentType = "application/octet-stream")
    {
        ArgumentNullException.ThrowIfNull(bytes);
        return new RpcFile(new MemoryStream(bytes, writable: false), contentType) { EntityTag = $"\"{Convert.ToHexStringLower(SHA256.HashData(bytes).AsSpan(0, 16))}\"" };
    }

    /// <summary>A text in UTF-8.</summary>
    /// <param name="text">The text.</param>
    /// <param name="contentType">Its media type.</param>
    /// <returns>The file.</returns>
    public static RpcFile FromText(string text, string contentType = "text/plain; charset=utf-8") => FromBytes(Encoding.UTF8.GetBytes(text), contentType);

    // Where it would be is the server's affair.
    private static FileStream Open(string path)
    {
        try
        {
            return new FileStream(path, new FileStreamOptions { Options = FileOptions.Asynchronous | FileOptions.SequentialScan, Share = FileShare.Read | FileShare.Delete });
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new RpcException(RpcStatus.NotFound, "The file does not exist.", missing);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Content.Dispose();
        _owner?.Dispose();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Content.DisposeAsync().ConfigureAwait(false);
        _owner?.Dispose();
    }
}
