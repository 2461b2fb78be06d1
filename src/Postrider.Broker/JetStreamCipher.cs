namespace Postrider.Broker;

/// <summary>How the files of streams are encrypted; see <see cref="JetStreamOptions.EncryptionKey"/>.</summary>
public enum JetStreamCipher
{
    /// <summary>ChaCha20-Poly1305: fast on every processor. nats-server's default.</summary>
    ChaCha20Poly1305,

    /// <summary>AES-256 in Galois/Counter Mode: faster where the processor has instructions for it.</summary>
    AesGcm,
}
