namespace Postrider.Broker;

/// <summary>A certificate and its private key, in two PEM files.</summary>
/// <param name="CertFile">File with the certificate, followed by those between it and the authority.</param>
/// <param name="KeyFile">File with the private key, not encrypted.</param>
public sealed record CertificateFilePair(string CertFile, string KeyFile);
