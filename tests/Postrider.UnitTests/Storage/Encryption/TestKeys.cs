using Postrider.Storage.Encryption;

namespace Postrider.UnitTests.Storage.Encryption;

/// <summary>Keys that are quick to derive.</summary>
internal static class TestKeys
{
    public static StoreKeys ChaCha { get; } = new(new MainKey("first key", "salt"u8, 1), StoreCipher.ChaCha20Poly1305);

    public static StoreKeys Aes { get; } = new(new MainKey("first key", "salt"u8, 1), StoreCipher.AesGcm);

    public static StoreKeys Other { get; } = new(new MainKey("second key", "salt"u8, 1), StoreCipher.ChaCha20Poly1305);

    public static StoreKeys Of(bool aes) => aes ? Aes : ChaCha;
}
