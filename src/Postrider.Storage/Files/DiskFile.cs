using Microsoft.Win32.SafeHandles;

namespace Postrider.Storage.Files;

/// <summary>A file of the operating system.</summary>
internal sealed class DiskFile(SafeFileHandle handle) : IStoreFile
{
    /// <inheritdoc/>
    public long Length => RandomAccess.GetLength(handle);

    /// <inheritdoc/>
    public int Read(long offset, Span<byte> target)
    {
        var total = 0;
        while (total < target.Length)
        {
            var count = RandomAccess.Read(handle, target[total..], offset + total);
            if (count == 0)
            {
                break;
            }

            total += count;
        }

        return total;
    }

    /// <inheritdoc/>
    public void Write(long offset, ReadOnlySpan<byte> bytes) => RandomAccess.Write(handle, bytes, offset);

    /// <inheritdoc/>
    public void SetLength(long length) => RandomAccess.SetLength(handle, length);

    /// <inheritdoc/>
    public void Sync() => RandomAccess.FlushToDisk(handle);

    /// <inheritdoc/>
    public void Discard() => DiscardedFiles.Add(handle);

    /// <inheritdoc/>
    public void Dispose() => handle.Dispose();
}
