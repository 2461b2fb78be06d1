using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Broker;

/// <summary>Reads certificates and keys from PEM files.</summary>
internal static class PemFiles
{
    // Certificates and keys are a few KiB; a wrong path must not load a disk image.
    private const long MaxFileBytes = 4 * 1024 * 1024;

    /// <summary>Reads a file.</summary>
    /// <exception cref="TlsFileException">The file cannot be read; the message names it.</exception>
    public static string Read(string path)
    {
        try
        {
            return new FileInfo(path) is { Exists: true, Length: > MaxFileBytes }
                ? throw new TlsFileException($"{path} is larger than {MaxFileBytes} bytes")
                : File.ReadAllText(path);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new TlsFileException($"open {path}: no such file or directory", error);
        }
        catch (UnauthorizedAccessException error)
        {
            throw new TlsFileException($"open {path}: {(Directory.Exists(path) ? "is a directory" : "permission denied")}", error);
        }
        catch (IOException error)
        {
            throw new TlsFileException($"open {path}: {error.Message}", error);
        }
    }

    /// <summary>Reads a certificate with its chain and its key.</summary>
    /// <param name="certFile">The certificate, followed by the intermediate certificates.</param>
    /// <param name="keyFile">The key.</param>
    /// <param name="which">For messages: identifies one of several pairs.</param>
    /// <exception cref="TlsFileException">A file cannot be used; the message names it.</exception>
    public static SslStreamCertificateContext ReadPair(string certFile, string keyFile, string which)
    {
        try
        {
            var (certificates, key) = (Read(certFile), Read(keyFile));
            var leaf = CreateLeaf(certFile, certificates, keyFile, key);
            var chain = new X509Certificate2Collection();
            chain.ImportFromPem(certificates);
            return SslStreamCertificateContext.Create(leaf, chain, offline: true);
        }
        catch (TlsFileException error)
        {
            throw new TlsFileException($"error parsing X509 certificate/key pair{which}: {error.Message}", error);
        }
        catch (CryptographicException error)
        {
            throw new TlsFileException($"error parsing X509 certificate/key pair{which}: {certFile}: {error.Message}", error);
        }
    }

    /// <summary>Reads the certificates of authorities.</summary>
    /// <exception cref="TlsFileException">The file cannot be read or contains no certificate.</exception>
    public static X509Certificate2Collection ReadAuthorities(string file)
    {
        var authorities = new X509Certificate2Collection();
        try
        {
            authorities.ImportFromPem(Read(file));
        }
        catch (CryptographicException error)
        {
            throw new TlsFileException("failed to parse root ca certificate", error);
        }
        return authorities.Count > 0 ? authorities : throw new TlsFileException("failed to parse root ca certificate");
    }

    private static X509Certificate2 CreateLeaf(string certFile, string certificates, string keyFile, string key)
    {
        if (!HasBlock(certificates, static label => label is "CERTIFICATE")) throw new TlsFileException($"{certFile} contains no certificate in PEM format");
        if (IsEncrypted(key)) throw new TlsFileException($"{keyFile}: the private key is encrypted; encrypted keys are not supported");
        if (!HasBlock(key, static label => label.EndsWith("PRIVATE KEY", StringComparison.Ordinal))) throw new TlsFileException($"{keyFile} contains no private key in PEM format");
        try
        {
            var leaf = X509Certificate2.CreateFromPem(certificates, key);
            // TLS on Windows does not accept a key that only exists in memory.
            return OperatingSystem.IsWindows() ? X509CertificateLoader.LoadPkcs12(leaf.Export(X509ContentType.Pkcs12), null) : leaf;
        }
        catch (Exception error) when (error is ArgumentException or CryptographicException)
        {
            throw new TlsFileException(IsReadable(key) ? $"{keyFile}: private key does not match public key" : $"{keyFile}: failed to parse private key", error);
        }
    }

    private static bool IsReadable(string key)
    {
        foreach (var algorithm in (AsymmetricAlgorithm[])[ECDsa.Create(), RSA.Create()])
        {
            using (algorithm)
            {
                try
                {
                    algorithm.ImportFromPem(key);
                    return true;
                }
                catch (Exception error) when (error is ArgumentException or CryptographicException)
                {
                    // The key has another algorithm, or there is none.
                }
            }
        }
        return false;
    }

    private static bool IsEncrypted(string key)
        => HasBlock(key, static label => label is "ENCRYPTED PRIVATE KEY") || key.Contains("Proc-Type: 4,ENCRYPTED", StringComparison.Ordinal);

    private static bool HasBlock(ReadOnlySpan<char> text, Func<string, bool> isWanted)
    {
        while (PemEncoding.TryFind(text, out var block))
        {
            if (isWanted(text[block.Label].ToString())) return true;
            text = text[block.Location.End..];
        }
        // A key encrypted in the old format has lines that are not base64.
        return text.Contains("-----BEGIN ", StringComparison.Ordinal) && isWanted(LabelOf(text));
    }

    private static string LabelOf(ReadOnlySpan<char> text)
    {
        var rest = text[(text.IndexOf("-----BEGIN ", StringComparison.Ordinal) + "-----BEGIN ".Length)..];
        var end = rest.IndexOf("-----", StringComparison.Ordinal);
        return end < 0 ? "" : rest[..end].ToString();
    }
}
