using System.Security.Cryptography;

namespace Postrider.Credentials.Nkeys;

/// <summary>32 secret bytes that stay in one place until they are wiped.</summary>
/// <remarks>The array is pinned: the garbage collector leaves no copies behind. Not thread-safe against <see cref="Dispose"/>.</remarks>
internal sealed class SecretBytes : IDisposable
{
    private byte[]? _bytes = GC.AllocateArray<byte>(NkeyText.KeyBytes, pinned: true);

    /// <summary>The bytes.</summary>
    /// <exception cref="ObjectDisposedException">They were wiped.</exception>
    public byte[] Bytes => _bytes ?? throw new ObjectDisposedException("the key pair", "The key pair was disposed and its seed wiped.");

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _bytes, null) is { } bytes) CryptographicOperations.ZeroMemory(bytes);
    }
}
