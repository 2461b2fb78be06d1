using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;

namespace Postrider.Rpc;

/// <summary>A file as the result of an operation: over HTTP the response is its content, with support for ranges, entity tags and
/// modification times.</summary>
/// <remarks>
/// <para>The implementation creates it from a stream, which is disposed when the response has been sent. A seekable stream is sent from
/// the start of the requested range; the content is not buffered as a whole. The caller receives an instance whose <see cref="Content"/>
/// is read from the network and must dispose it.</para>
/// <para>Supported over HTTP and in process only; over other transports such calls fail with <see cref="RpcStatus.Unsupported"/>. Not
/// thread-safe.</para>
/// </remarks>
public sealed class RpcFile : IDisposable, IAsyncDisposable
{
    private readonly string? _entityTag;
    private readonly IDisposable? _owner;

    /// <summary>Creates a file.</summary>
    /// <param name="content">The content; owned by the file.</param>
    /// <param name="contentType">The media type.</param>
    public RpcFile(Stream content, string contentType = "application/octet-stream")
    {
        ArgumentNullException.ThrowIfNull(content);
        ArgumentException.ThrowIfNullOrEmpty(contentType);
        (Content, ContentType) = (content, contentType);
    }

    internal RpcFile(Stream content, string contentType, IDisposable owner)
        : this(content, contentType)
        => _owner = owner;

    /// <summary>The content.</summary>
    public Stream Content { get; }

    /// <summary>The media type.</summary>
    public string ContentType { get; }

    /// <summary>The file name for browsers; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>Whether browsers display the file instead of saving it.</summary>
    public bool IsInline { get; init; }

    /// <summary>The entity tag, which changes with the content, for example <c>"v1"</c> including the quotes; null for none.</summary>
    /// <exception cref="ArgumentException">The value is not an entity tag.</exception>
    public string? EntityTag
    {
        get => _entityTag;
        init => _entityTag = value is null || EntityTagHeaderValue.TryParse(value, out _) ? value
            : throw new ArgumentException($"'{value}' is not an entity tag. Entity tags are quoted: \"v1\" or W/\"v1\".", nameof(value));
    }

    /// <summary>The time of the last change; null if unknown. HTTP has a precision of one second.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>The header <c>Cache-Control</c>, for example <c>public, max-age=3600</c>; null for none.</summary>
    public string? CacheControl { get; init; }

    /// <summary>At the caller: the number of bytes in the response, or null if unknown.</summary>
    public long? Length { get; init; }

    /// <summary>At the caller: the offset of the content in the file if the header <c>Range</c> requested a part; null for the whole
    /// file.</summary>
    public long? Offset { get; init; }

    /// <summary>At the caller: whether the file is unchanged according to <c>If-None-Match</c> or <c>If-Modified-Since</c>; there is no
    /// content then.</summary>
    public bool IsUnchanged { get; init; }

    /// <summary>Opens a file of the file system, with its modification time and an entity tag derived from time and length.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="contentType">The media type.</param>
    /// <returns>The file, open.</returns>
    /// <exception cref="RpcException">The file does not exist: <see cref="RpcStatus.NotFound"/>, which is also the status for the
    /// caller.</exception>
    /// <exception cref="IOException">The file cannot be opened.</exception>
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

    /// <summary>Creates a file in memory, with an entity tag derived from its content.</summary>
    /// <param name="bytes">The bytes; not copied.</param>
    /// <param name="contentType">The media type.</param>
    /// <returns>The file.</returns>
    public static RpcFile FromBytes(byte[] bytes, string contentType = "application/octet-stream")
    {
        ArgumentNullException.ThrowIfNull(bytes);
        return new RpcFile(new MemoryStream(bytes, writable: false), contentType) { EntityTag = $"\"{Convert.ToHexStringLower(SHA256.HashData(bytes).AsSpan(0, 16))}\"" };
    }

    /// <summary>Creates a UTF-8 text file in memory.</summary>
    /// <param name="text">The text.</param>
    /// <param name="contentType">The media type.</param>
    /// <returns>The file.</returns>
    public static RpcFile FromText(string text, string contentType = "text/plain; charset=utf-8") => FromBytes(Encoding.UTF8.GetBytes(text), contentType);

    // The path is not sent to the caller.
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
