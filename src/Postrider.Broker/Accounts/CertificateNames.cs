using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Broker.Accounts;

/// <summary>The names in a client's certificate that may name a user.</summary>
/// <remarks>Their order and meaning are those of nats-server. Source: RFC 5280, 4.2.1.6.</remarks>
internal sealed class CertificateNames
{
    private const string SubjectAlternativeName = "2.5.29.17";
    private static readonly Asn1Tag EmailTag = new(TagClass.ContextSpecific, 1);
    private static readonly Asn1Tag DnsTag = new(TagClass.ContextSpecific, 2);
    private static readonly Asn1Tag UriTag = new(TagClass.ContextSpecific, 6);

    private CertificateNames(List<string> alternatives, X500DistinguishedName subject)
    {
        Alternatives = alternatives;
        Subject = DistinguishedName.Of(subject);
        var written = DistinguishedName.Write(subject);
        var domain = DistinguishedName.WriteDomain(subject);
        Written = domain.Length == 0 ? [written] : [$"{written},{domain}", written];
    }

    /// <summary>E-mail addresses, then DNS names, then URIs.</summary>
    public IReadOnlyList<string> Alternatives { get; }

    /// <summary>The subject; null when it has an attribute without a known name.</summary>
    public DistinguishedName? Subject { get; }

    /// <summary>The subject as text, with its domain components first if there are any.</summary>
    public IReadOnlyList<string> Written { get; }

    /// <summary>Reads a certificate.</summary>
    /// <param name="certificate">A certificate that was verified.</param>
    /// <returns>Null when it cannot be read.</returns>
    public static CertificateNames? TryRead(X509Certificate2 certificate)
    {
        try
        {
            return new CertificateNames(ReadAlternatives(certificate), certificate.SubjectName);
        }
        catch (Exception error) when (error is AsnContentException or CryptographicException)
        {
            return null;
        }
    }

    /// <summary>Whether a name is one of the alternatives, or the subject as text.</summary>
    public bool Contains(string name) => Alternatives.Contains(name, StringComparer.Ordinal) || Written.Contains(name, StringComparer.Ordinal);

    private static List<string> ReadAlternatives(X509Certificate2 certificate)
    {
        if (certificate.Extensions[SubjectAlternativeName] is not { } extension) return [];
        List<string> emails = [], dnsNames = [], uris = [];
        var names = new AsnReader(extension.RawData, AsnEncodingRules.DER).ReadSequence();
        while (names.HasData)
        {
            var tag = names.PeekTag();
            if (tag == EmailTag) emails.Add(names.ReadCharacterString(UniversalTagNumber.IA5String, EmailTag));
            else if (tag == DnsTag) dnsNames.Add(names.ReadCharacterString(UniversalTagNumber.IA5String, DnsTag));
            else if (tag == UriTag) uris.Add(names.ReadCharacterString(UniversalTagNumber.IA5String, UriTag));
            else names.ReadEncodedValue();
        }
        return [.. emails, .. dnsNames, .. uris];
    }
}
