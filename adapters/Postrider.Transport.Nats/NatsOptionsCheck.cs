using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Transport.Nats;

/// <summary>Rejects options that contradict each other, with a proposed change.</summary>
internal static class NatsOptionsCheck
{
    private static readonly TimeSpan s_maxTime = TimeSpan.FromDays(1);

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Check(NatsOptions options)
    {
        var (throughput, retry, poison) = (options.Throughput, options.Retry, options.Poison);
        Require(throughput.MaxInFlight is >= 1 and <= 100_000, $"Throughput.MaxInFlight is {throughput.MaxInFlight} and must be from 1 to 100000");
        Require(throughput.PrefetchFactor is >= 1 and <= 100, $"Throughput.PrefetchFactor is {throughput.PrefetchFactor} and must be from 1 to 100");
        Require(retry.SendAttempts is >= 1 and <= 1000, $"Retry.SendAttempts is {retry.SendAttempts} and must be from 1 to 1000");
        Require(retry.MaxPause >= TimeSpan.FromMilliseconds(1) && retry.MaxPause <= s_maxTime, $"Retry.MaxPause is {retry.MaxPause} and must be from 1 ms to {s_maxTime}");
        Require(retry.ReopenPause >= TimeSpan.FromMilliseconds(1) && retry.ReopenPause <= s_maxTime, $"Retry.ReopenPause is {retry.ReopenPause} and must be from 1 ms to {s_maxTime}");
        Require(poison.MaxBodyBytes is null or (>= 1 and <= 64 * 1024 * 1024), $"Poison.MaxBodyBytes is {poison.MaxBodyBytes} and must be from 1 to 67108864, or not set for the limit of the server");
        Require(options.Observability.ProbeTimeout > TimeSpan.Zero, $"Observability.ProbeTimeout is {options.Observability.ProbeTimeout} and must be greater than zero");
        CheckSchedules(options.Schedules);
    }

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void CheckSchedules(string? schedules)
        => Require(
            schedules is null || (Subject.IsLiteral(Encoding.UTF8.GetBytes(schedules)) && !schedules.StartsWith('$')),
            $"Schedules is '{schedules}' and must be the beginning of subjects, such as 'later' for later.>, without wildcards and whitespace");

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"NatsOptions.{what}.");
    }
}
