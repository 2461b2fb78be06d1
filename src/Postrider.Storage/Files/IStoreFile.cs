namespace Postrider.Storage.Files;

/// <summary>One open file of a store.</summary>
/// <remarks>Errors: <see cref="IOException"/> and <see cref="UnauthorizedAccessException"/>. <see cref="Sync"/> may run
/// beside the other calls; those are made by one caller at a time.</remarks>
internal interface IStoreFile : IDisposable
{
    /// <summary>Bytes in the file.</summary>
    long Length { get; }

    /// <summary>Fills <paramref name="target"/> from <paramref name="offset"/>.</summary>
    /// <returns>Bytes read: fewer only at the end of the file.</returns>
    int Read(long offset, Span<byte> target);

    /// <summary>Writes all of <paramref name="bytes"/> at <paramref name="offset"/>.</summary>
    void Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Cuts or extends the file.</summary>
    void SetLength(long length);

    /// <summary>Returns when the disk has everything that was written.</summary>
    void Sync();
}
