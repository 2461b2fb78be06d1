namespace Postrider.Broker;

/// <summary>A file of the TLS configuration cannot be used. Never leaves <see cref="TlsMaterial"/>.</summary>
internal sealed class TlsFileException(string message, Exception? innerException = null) : Exception(message, innerException);
