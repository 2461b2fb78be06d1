namespace Postrider.Storage.Files;

/// <summary>One open file of a store.</summary>
/// <remarks>Errors: <see cref="IOException"/> and <see cref="UnauthorizedAccessException"/>. <see cref="Sync"/> may run
/// concurrently with the other methods, which are never called concurrently.</remarks>
internal interface IStoreFile : IDisposable
{
    /// <summary>The length of the file in bytes.</summary>
    long Length { get; }

    /// <summary>Fills <paramref name="target"/> from <paramref name="offset"/>.</summary>
    /// <returns>The number of bytes read: fewer only at the end of the file.</returns>
    int Read(long offset, Span<byte> target);

    /// <summary>Writes all of <paramref name="bytes"/> at <paramref name="offset"/>.</summary>
    void Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Truncates or extends the file.</summary>
    void SetLength(long length);

    /// <summary>Returns when everything written is on the disk.</summary>
    void Sync();

    /// <summary>Closes a file that was deleted: its blocks on the disk may be released later, on another thread.</summary>
    void Discard() => Dispose();
}
