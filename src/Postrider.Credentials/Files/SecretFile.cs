using System.Security.Cryptography;
using System.Text;

namespace Postrider.Credentials.Files;

/// <summary>Reads and writes files with seeds in them, without leaving copies in memory.</summary>
internal sealed class SecretFile : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly char[] _text;
    private readonly int _length;

    private SecretFile(char[] text, int length) => (_text, _length) = (text, length);

    /// <summary>The file's text; wiped by <see cref="Dispose"/>.</summary>
    public ReadOnlySpan<char> Text => _text.AsSpan(0, _length);

    /// <summary>Reads a file.</summary>
    public static SecretFile Read(string path, int maxBytes)
    {
        using var handle = File.OpenHandle(path);
        var length = RandomAccess.GetLength(handle);
        if (length > maxBytes) throw new CredentialsException(CredentialsErrorCode.InvalidFile, $"{path} has {length} bytes, more than {maxBytes}.");
        var bytes = GC.AllocateUninitializedArray<byte>((int)length, pinned: true);
        try
        {
            var read = 0;
            while (read < bytes.Length && RandomAccess.Read(handle, bytes.AsSpan(read), read) is var more and > 0) read += more;
            var text = GC.AllocateUninitializedArray<char>(Encoding.UTF8.GetMaxCharCount(read), pinned: true);
            return new SecretFile(text, Encoding.UTF8.GetChars(bytes.AsSpan(0, read), text));
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
        }
    }

    /// <summary>Writes a seed between two texts: to a file beside it first, so that it is never visible incomplete or before its mode is set.</summary>
    public static void Write(string path, string before, ReadOnlySpan<char> seed, string after)
    {
        var bytes = GC.AllocateUninitializedArray<byte>(Encoding.UTF8.GetByteCount(before) + Encoding.UTF8.GetByteCount(seed) + Encoding.UTF8.GetByteCount(after), pinned: true);
        var written = $"{path}.{Path.GetRandomFileName()}";
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, BufferSize = 0 };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = OwnerOnly;
        using var file = new FileStream(written, options);
        try
        {
            var length = Encoding.UTF8.GetBytes(before, bytes);
            length += Encoding.UTF8.GetBytes(seed, bytes.AsSpan(length));
            Encoding.UTF8.GetBytes(after, bytes.AsSpan(length));
            file.Write(bytes);
            file.Dispose();
            File.Move(written, path, overwrite: true);
        }
        catch
        {
            File.Delete(written);
            throw;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
        }
    }

    public void Dispose() => Array.Clear(_text);
}
