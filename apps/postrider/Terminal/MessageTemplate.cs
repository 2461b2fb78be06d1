using System.Globalization;
using System.Text.RegularExpressions;
using Postrider.Client;

namespace Postrider.CommandLine.Terminal;

/// <summary>Text with functions in double braces, as in the <c>nats</c> tool: <c>{{Count}}</c>, <c>{{Time}}</c> and so on. Other text is unchanged.</summary>
/// <param name="isOn">Whether functions are replaced.</param>
/// <param name="clock">The time.</param>
/// <param name="random">Of <c>{{Random}}</c>.</param>
internal sealed partial class MessageTemplate(bool isOn, TimeProvider clock, Random random)
{
    /// <summary>The functions, for the help.</summary>
    internal const string Functions = "Count, ID, Time, TimeStamp, Unix, UnixNano, Random MIN MAX";

    // A longer text is not useful for a test message, and would use memory for every message.
    private const int MaxRandomLength = 1 << 20;

    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private readonly Nuid _ids = new(random);

    /// <summary>An option that turns them off.</summary>
    internal static System.CommandLine.Option<bool> Off() => new("--no-templates") { Description = "Leave functions such as {{Count}} as they are" };

    /// <summary>The text with the functions' values.</summary>
    /// <param name="text">The text.</param>
    /// <param name="count">The message's number, from 1.</param>
    /// <param name="request">The value of <c>{{Request}}</c>; null if there is none.</param>
    internal string Expand(string text, long count, string? request = null)
        => isOn && text.Contains("{{", StringComparison.Ordinal) ? Function().Replace(text, match => Evaluate(match, count, request)) : text;

    /// <summary>The text with another one in place of every function.</summary>
    internal static string Replace(string text, string value) => Function().Replace(text, value);

    /// <summary>The headers with the functions' values.</summary>
    internal NatsHeaders? Headers(string[]? headers, long count) => MessageText.Headers(headers?.Select(header => Expand(header, count)).ToArray());

    private string Evaluate(Match match, long count, string? request)
    {
        var now = clock.GetUtcNow();
        return match.Groups["name"].Value switch
        {
            "Count" => count.ToString(CultureInfo.InvariantCulture),
            "ID" => _ids.Next(),
            "Time" => now.ToString("HH:mm:ss", CultureInfo.InvariantCulture),
            "TimeStamp" => now.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
            "Unix" => now.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture),
            "UnixNano" => ((now - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick).ToString(CultureInfo.InvariantCulture),
            "Request" when request is not null => request,
            "Random" => RandomText(match),
            _ => match.Value,
        };
    }

    private string RandomText(Match match)
    {
        if (!int.TryParse(match.Groups["min"].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var min)
            || !int.TryParse(match.Groups["max"].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var max) || min > max || max > MaxRandomLength)
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"'{match.Value}' needs a lowest and a highest length up to {MaxRandomLength}, such as {{{{Random 10 100}}}}.");
        return new string(random.GetItems<char>(Letters, random.Next(min, max + 1)));
    }

    [GeneratedRegex(@"\{\{\s*(?<name>Count|ID|TimeStamp|Time|UnixNano|Unix|Request|Random)(?:[\s(]+(?<min>-?\d+)[\s,]+(?<max>-?\d+)\s*\)?)?\s*\}\}")]
    private static partial Regex Function();
}
