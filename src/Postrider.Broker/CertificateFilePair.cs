namespace Postrider.Broker;

/// <summary>A certificate and its private key, in two PEM files.</summary>
/// <param name="CertFile">File with the certificate, followed by the intermediate certificates.</param>
/// <param name="KeyFile">File with the private key, unencrypted.</param>
public sealed record CertificateFilePair(string CertFile, string KeyFile);
