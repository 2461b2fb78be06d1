using System.Globalization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Times in the form of the API and of message headers: UTC, with as many fractional digits as needed.</summary>
internal static class Rfc3339
{
    /// <summary>The text that means no time.</summary>
    public const string Zero = "0001-01-01T00:00:00Z";

    /// <summary>Writes nanoseconds since 1970.</summary>
    public static string Format(long nanoseconds)
    {
        var moment = Clock.ToMoment(nanoseconds - (nanoseconds % 1_000_000_000));
        var fraction = (nanoseconds % 1_000_000_000).ToString("D9", CultureInfo.InvariantCulture).TrimEnd('0');
        var seconds = moment.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture);
        return fraction.Length == 0 ? seconds + "Z" : $"{seconds}.{fraction}Z";
    }

    /// <summary>Writes a time.</summary>
    public static string Format(DateTimeOffset moment)
        => moment.UtcTicks == 0 ? Zero : moment.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'", CultureInfo.InvariantCulture);

    /// <summary>Parses a time with any offset.</summary>
    public static bool TryParse(string text, out DateTimeOffset moment)
        => DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out moment);
}
