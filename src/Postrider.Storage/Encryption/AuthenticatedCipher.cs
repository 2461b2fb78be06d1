using System.Security.Cryptography;

namespace Postrider.Storage.Encryption;

/// <summary>Encrypts and authenticates with one key.</summary>
/// <remarks>Not thread-safe. Nonces are random: a file's key encrypts far fewer than the 2^32 pieces after which two nonces may be equal.</remarks>
internal sealed class AuthenticatedCipher : IDisposable
{
    /// <summary>Bytes of a key.</summary>
    public const int KeyBytes = 32;

    /// <summary>Bytes of a nonce.</summary>
    public const int NonceBytes = 12;

    /// <summary>Bytes of a tag.</summary>
    public const int TagBytes = 16;

    private readonly ChaCha20Poly1305? _chaCha;
    private readonly AesGcm? _aes;

    /// <summary>Prepares a key.</summary>
    /// <param name="cipher">The cipher.</param>
    /// <param name="key"><see cref="KeyBytes"/> bytes; copied.</param>
    public AuthenticatedCipher(StoreCipher cipher, ReadOnlySpan<byte> key)
    {
        if (cipher == StoreCipher.AesGcm) _aes = new AesGcm(key, TagBytes);
        else _chaCha = new ChaCha20Poly1305(key);
    }

    /// <summary>Encrypts.</summary>
    /// <param name="plain">The plaintext.</param>
    /// <param name="target">Nonce, ciphertext and tag: <see cref="NonceBytes"/> and <see cref="TagBytes"/> more than <paramref name="plain"/>.</param>
    /// <param name="associated">Data that is authenticated but not encrypted.</param>
    public void Encrypt(ReadOnlySpan<byte> plain, Span<byte> target, ReadOnlySpan<byte> associated)
    {
        var nonce = target[..NonceBytes];
        RandomNumberGenerator.Fill(nonce);
        var text = target.Slice(NonceBytes, plain.Length);
        var tag = target.Slice(NonceBytes + plain.Length, TagBytes);
        if (_aes is not null) _aes.Encrypt(nonce, plain, text, tag, associated);
        else _chaCha!.Encrypt(nonce, plain, text, tag, associated);
    }

    /// <summary>Decrypts.</summary>
    /// <param name="source">Nonce, ciphertext and tag.</param>
    /// <param name="plain">Receives the plaintext; zeros when it returns false.</param>
    /// <param name="associated">Data that was authenticated but not encrypted.</param>
    /// <returns>False when any bit or the key differs.</returns>
    public bool TryDecrypt(ReadOnlySpan<byte> source, Span<byte> plain, ReadOnlySpan<byte> associated)
    {
        var nonce = source[..NonceBytes];
        var text = source.Slice(NonceBytes, plain.Length);
        var tag = source.Slice(NonceBytes + plain.Length, TagBytes);
        try
        {
            if (_aes is not null) _aes.Decrypt(nonce, text, tag, plain, associated);
            else _chaCha!.Decrypt(nonce, text, tag, plain, associated);
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            plain.Clear();
            return false;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _chaCha?.Dispose();
        _aes?.Dispose();
    }
}
