using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Many subscriptions of one connection, each to a different subject.</summary>
internal static partial class ManySubscriptions
{
    private const int SampledSubjects = 1_000;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    /// <summary>The subject of a subscription.</summary>
    public static string Subject(int number) => $"many.{number:0000000}";

    /// <summary>The number of a subscription. All have the same length, so that all delivered frames have the same length.</summary>
    public static string Sid(int number) => $"{1_000_000 + number}";

    /// <summary>Visits each number once, with a prime stride, so that consecutive numbers are far apart.</summary>
    public static int Scatter(int index, int count) => (int)(index * 611_953L % count);

    /// <summary>Subscribes and waits until the server has processed all subscriptions.</summary>
    public static void Subscribe(Connection connection, int count)
    {
        var text = new StringBuilder();
        for (var i = 0; i < count; i++)
        {
            text.Append("SUB ").Append(Subject(i)).Append(' ').Append(Sid(i)).Append("\r\n");
            if (text.Length > 256 * 1024 || i == count - 1)
            {
                connection.Say(text.ToString());
                text.Clear();
            }
        }

        connection.RoundTrip();
    }

    /// <summary>Publishes at another server until messages on the last subject and on a thousand other subjects have been received.</summary>
    /// <param name="subscriber">Has the subscriptions.</param>
    /// <param name="publisher">A connection to the other server.</param>
    /// <param name="count">How many subscriptions there are.</param>
    /// <exception cref="LoadException">Some messages are missing after three minutes.</exception>
    public static void AwaitAtOther(Connection subscriber, Connection publisher, int count)
    {
        var missing = Enumerable.Range(0, SampledSubjects).Select(i => Scatter(i, count)).Append(count - 1).Select(Subject).ToHashSet(StringComparer.Ordinal);
        var started = TimeProvider.System.GetTimestamp();
        var buffer = new byte[256 * 1024];
        var rest = "";
        subscriber.SetReceiveTimeout(20);
        while (missing.Count > 0)
        {
            if (TimeProvider.System.GetElapsedTime(started) > Limit)
                throw new LoadException($"{missing.Count} of {SampledSubjects + 1} subjects are not known at the other server after {Limit.TotalSeconds} s.");
            publisher.Say(string.Concat(missing.Select(static subject => $"PUB {subject} 1\r\nx\r\n")));
            try
            {
                while (true)
                {
                    rest += Encoding.ASCII.GetString(buffer, 0, subscriber.ReadBlocking(buffer));
                    foreach (Match message in Message().Matches(rest)) missing.Remove(message.Groups[1].Value);
                    rest = rest[(rest.LastIndexOf('\n') + 1)..];
                }
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
            {
                // No more messages arrive; the missing ones are published again.
            }
        }
    }

    [GeneratedRegex("^MSG (many\\.\\d{7}) ", RegexOptions.Multiline)]
    private static partial Regex Message();
}
