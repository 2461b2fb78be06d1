using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Postrider.Transport.ServiceBus;

/// <summary>Signs tokens with a shared access key.</summary>
/// <remarks>Source: "Service Bus access control with Shared Access Signatures". The signature is over the resource as it stands in the
/// token, encoded for an address, a line feed and the expiry.</remarks>
internal static class SharedAccessSignature
{
    internal static ServiceBusToken Create(string audience, string keyName, string key, DateTimeOffset expiry)
    {
        var resource = Uri.EscapeDataString(audience);
        var seconds = expiry.ToUnixTimeSeconds();
        var signature = HMACSHA256.HashData(Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{resource}\n{seconds}")));
        return new(
            string.Create(CultureInfo.InvariantCulture, $"SharedAccessSignature sr={resource}&sig={Uri.EscapeDataString(Convert.ToBase64String(signature))}&se={seconds}&skn={Uri.EscapeDataString(keyName)}"),
            DateTimeOffset.FromUnixTimeSeconds(seconds));
    }

    /// <summary>The expiry of a signature that was created elsewhere; null if it has none.</summary>
    internal static DateTimeOffset? ExpiryOf(string signature)
    {
        foreach (var part in signature.Split('&', ' '))
        {
            if (part.StartsWith("se=", StringComparison.Ordinal) && long.TryParse(part.AsSpan(3), NumberStyles.None, CultureInfo.InvariantCulture, out var seconds) && seconds <= 253_402_300_799)
                return DateTimeOffset.FromUnixTimeSeconds(seconds);
        }

        return null;
    }
}
