namespace Postrider.Transport.Aws;

/// <summary>Rejects options that are out of range or contradict each other, with a proposed change.</summary>
internal static class AwsOptionsCheck
{
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Check(AwsOptions options)
    {
        var (throughput, retry) = (options.Throughput, options.Retry);
        Require(options.Endpoint is not { } endpoint || endpoint is { IsAbsoluteUri: true, Scheme: "http" or "https", Query: "", AbsolutePath: "/" }, $"Endpoint '{options.Endpoint}' must be an address such as http://localhost:4566, without a path");
        Require(options.Region is null or { Length: > 0 and <= 40 } && (options.Region?.All(static letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter == '-') ?? true), $"Region is '{options.Region}' and must be a name such as eu-central-1");
        Require(options.AccountId is null || (options.AccountId.Length == 12 && options.AccountId.All(char.IsAsciiDigit)), $"AccountId is '{options.AccountId}' and must have 12 digits");
        Require(options.AccessKey is null || options.SecretKey is not null, "AccessKey is set and there is no SecretKey: set both, or neither for the credentials that the SDK finds");
        Require(options.SecretKey is null || options.AccessKey is not null, "SecretKey is set and there is no AccessKey: set both, or neither for the credentials that the SDK finds");
        Require(options.SessionToken is null || options.AccessKey is not null, "SessionToken is set and there is no AccessKey: set AccessKey and SecretKey as well, or remove SessionToken");
        Require(options.Credentials is null || options.AccessKey is null, "Credentials and AccessKey are both set: set one of them");
        Require(Enum.IsDefined(options.QueueType), $"QueueType is {options.QueueType}, which is not known: {string.Join(", ", Enum.GetNames<AwsQueueType>())}");
        Require(options.EventSource is { Length: > 0 and <= 256 } && !options.EventSource.StartsWith("aws.", StringComparison.OrdinalIgnoreCase), $"EventSource is '{options.EventSource}' and must have from 1 to 256 characters and not begin with 'aws.', which the service reserves");
        Require(throughput.MaxUnconfirmed is >= 1 and <= 1_000_000, $"Throughput.MaxUnconfirmed is {throughput.MaxUnconfirmed} and must be from 1 to 1000000");
        Require(throughput.MaxRequests is >= 1 and <= 100, $"Throughput.MaxRequests is {throughput.MaxRequests} and must be from 1 to 100");
        Require(throughput.Pollers is >= 1 and <= 100, $"Throughput.Pollers is {throughput.Pollers} and must be from 1 to 100");
        Require(throughput.PollWait >= TimeSpan.FromSeconds(1) && throughput.PollWait <= TimeSpan.FromSeconds(20), $"Throughput.PollWait is {throughput.PollWait} and must be from 1 s to 20 s");
        Require(throughput.PrefetchFactor is >= 1 and <= SqsLimits.MaxBatch, $"Throughput.PrefetchFactor is {throughput.PrefetchFactor} and must be from 1 to {SqsLimits.MaxBatch}");
        Require(throughput.StopWait >= TimeSpan.Zero && throughput.StopWait <= TimeSpan.FromSeconds(30), $"Throughput.StopWait is {throughput.StopWait} and must be from 0 to 30 s");
        Require(retry.SendAttempts is >= 1 and <= 100, $"Retry.SendAttempts is {retry.SendAttempts} and must be from 1 to 100");
        Require(retry.MaxPause >= TimeSpan.FromMilliseconds(100) && retry.MaxPause <= TimeSpan.FromMinutes(5), $"Retry.MaxPause is {retry.MaxPause} and must be from 100 ms to 5 minutes");
        Require(retry.RequestTimeout >= TimeSpan.FromSeconds(1) && retry.RequestTimeout <= TimeSpan.FromMinutes(5), $"Retry.RequestTimeout is {retry.RequestTimeout} and must be from 1 s to 5 minutes");
        Require(options.Poison.MaxBodyBytes is >= 1 and <= SqsLimits.MaxMessageBytes, $"Poison.MaxBodyBytes is {options.Poison.MaxBodyBytes} and must be from 1 to {SqsLimits.MaxMessageBytes}, the most that SQS takes");
        Require(options.Observability.ProbeTimeout > TimeSpan.Zero, $"Observability.ProbeTimeout is {options.Observability.ProbeTimeout} and must be greater than zero");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"{nameof(AwsOptions)}.{what}.");
    }
}
