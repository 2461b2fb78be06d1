using System.Globalization;
using System.Text;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>The header of WS-Security: the caller's token, and until when the message is valid.</summary>
/// <remarks>Source: Web Services Security 1.0 (OASIS, 2004), timestamp and UsernameToken Profile. Signatures and encryption are not
/// supported.</remarks>
internal sealed class SoapSecurity
{
    private const string PasswordText = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText";
    private static readonly TimeSpan s_goodFor = TimeSpan.FromMinutes(5);

    // Tolerates clock differences and delivery times.
    private static readonly TimeSpan s_tolerance = TimeSpan.FromMinutes(5);

    public string? Username { get; private set; }

    public string? Password { get; private set; }

    /// <summary>The unsupported feature in it, or null.</summary>
    public string? Unsupported { get; private set; }

    public string? Created { get; private set; }

    public string? Expires { get; private set; }

    private static ReadOnlySpan<byte> Extension => "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"u8;

    private static ReadOnlySpan<byte> Utility => "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"u8;

    public static bool IsAt(ref ElementReader reader) => reader.Is("Security"u8, Extension);

    /// <summary>Writes the header with a token and a time stamp, as WCF's TransportWithMessageCredential has it.</summary>
    public static void Write(ref ElementWriter writer, UsernameToken token, DateTimeOffset now)
    {
        writer.WriteRaw("<o:Security s:mustUnderstand=\"1\" xmlns:o=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\" xmlns:u=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\"><u:Timestamp u:Id=\"_0\"><u:Created>"u8);
        writer.WriteText(Text(now));
        writer.WriteRaw("</u:Created><u:Expires>"u8);
        writer.WriteText(Text(now + s_goodFor));
        writer.WriteRaw("</u:Expires></u:Timestamp><o:UsernameToken><o:Username>"u8);
        writer.WriteText(token.Username);
        writer.WriteRaw("</o:Username><o:Password Type=\""u8);
        writer.WriteRaw(Encoding.UTF8.GetBytes(PasswordText));
        writer.WriteRaw("\">"u8);
        writer.WriteText(token.Password);
        writer.WriteRaw("</o:Password></o:UsernameToken></o:Security>"u8);
    }

    public static SoapSecurity Read(ref ElementReader reader)
    {
        var security = new SoapSecurity();
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (reader.Is("UsernameToken"u8, Extension))
                security.Token(ref reader);
            else if (reader.Is("Timestamp"u8, Utility))
                security.Stamp(ref reader);
            else
                security.Reject(ref reader);
        }

        return security;
    }

    /// <summary>Checks the time stamp, if there is one.</summary>
    /// <exception cref="SoapFaultException">It has expired, or the time is invalid.</exception>
    public void CheckTime(DateTimeOffset now)
    {
        if (Unsupported is not null)
            throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "UnsupportedSecurityToken", $"{Unsupported} is not supported. Use a UsernameToken with a plain-text password.");
        if (Expires is not null && Time(Expires) + s_tolerance < now)
            throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "MessageExpired", $"The message expired at {Expires}.");
        if (Created is not null && Time(Created) - s_tolerance > now)
            throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "InvalidSecurity", $"The message was created at {Created}, which is in the future.");
    }

    private static DateTimeOffset Time(string text)
        => DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time) ? time
            : throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "InvalidSecurity", "The timestamp is invalid.");

    private static string Text(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture);

    private void Token(ref ElementReader reader)
    {
        if (Username is not null)
            Unsupported ??= "A second UsernameToken";
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (reader.Is("Username"u8, Extension))
            {
                Username = reader.TryReadText(out var name) ? name : "";
            }
            else if (reader.Is("Password"u8, Extension))
            {
                // The profile defines a password without a type as text.
                if (reader.TryGetAttribute("Type"u8, default, out var type) && !type.EndsWith("#PasswordText"u8))
                    Unsupported ??= "A password of a different type";
                Password = reader.TryReadText(out var password) ? password : "";
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private void Stamp(ref ElementReader reader)
    {
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (reader.Is("Created"u8, Utility))
                Created = reader.TryReadText(out var created) ? created : "";
            else if (reader.Is("Expires"u8, Utility))
                Expires = reader.TryReadText(out var expires) ? expires : "";
            else
                reader.Skip();
        }
    }

    private void Reject(ref ElementReader reader)
    {
        Unsupported ??= reader.Describe();
        reader.Skip();
    }
}
