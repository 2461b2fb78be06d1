using System.Globalization;
using System.Text;

namespace Postrider.Transport.Nats;

/// <summary>The poison profile: limits that protect the server and the receivers from messages that cannot be handled.</summary>
public sealed record NatsPoison
{
    /// <summary>The largest body in bytes that is sent; null, the default, for the server's <c>max_payload</c>, which limits headers and
    /// body together and applies in any case.</summary>
    public int? MaxBodyBytes { get; set; }

    // For the log at the start.
    private bool PrintMembers(StringBuilder text)
    {
        text.Append(CultureInfo.InvariantCulture, $"{nameof(MaxBodyBytes)} = ").Append(MaxBodyBytes?.ToString(CultureInfo.InvariantCulture) ?? "max_payload of the server");
        return true;
    }
}
