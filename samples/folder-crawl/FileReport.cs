using System.IO.Compression;
using System.Security.Cryptography;

namespace FolderCrawl;

/// <summary>The result of reading a file.</summary>
/// <param name="Hash">SHA-256 of its content.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="CompressedBytes">Its length after Brotli compression at the fastest level.</param>
internal sealed record FileReport(string Hash, long Bytes, long CompressedBytes)
{
    public static async ValueTask<FileReport> ReadAsync(FileInfo file, CancellationToken ct)
    {
        await using var content = new FileStream(file.FullName, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1, useAsync: true);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        await using var counted = new CountingStream();
        long bytes = 0;
        await using (var compressed = new BrotliStream(counted, CompressionLevel.Fastest, leaveOpen: true))
        {
            var buffer = new byte[64 * 1024];
            int read;
            while ((read = await content.ReadAsync(buffer, ct)) > 0)
            {
                hash.AppendData(buffer, 0, read);
                await compressed.WriteAsync(buffer.AsMemory(0, read), ct);
                bytes += read;
            }
        }
        return new FileReport(Convert.ToHexStringLower(hash.GetHashAndReset()), bytes, counted.Length);
    }
}
