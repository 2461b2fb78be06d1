using Amazon;
using Amazon.Runtime;

namespace Postrider.Transport.Aws;

/// <summary>A region, and the addresses and resource names derived from it.</summary>
internal sealed class AwsRegion
{
    private readonly RegionEndpoint _endpoint;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: no region is named anywhere.</exception>
    internal AwsRegion(AwsOptions options)
    {
        Name = options.Region ?? FromEnvironment()
            ?? throw new PostriderException(PostriderError.Configuration, $"{nameof(AwsOptions)}.{nameof(AwsOptions.Region)} is not set, and neither the environment (AWS_REGION) nor the SDK's profile names one: set it to a region such as eu-central-1.");
        _endpoint = RegionEndpoint.GetBySystemName(Name);
    }

    internal string Name { get; }

    internal Uri Endpoint(string service) => new($"https://{service}.{Name}.{_endpoint.PartitionDnsSuffix}/");

    internal string Arn(string service, string account, string resource) => $"arn:{_endpoint.PartitionName}:{service}:{Name}:{account}:{resource}";

    private static string? FromEnvironment()
    {
        foreach (var variable in (ReadOnlySpan<string>)["AWS_REGION", "AWS_DEFAULT_REGION"])
        {
            if (Environment.GetEnvironmentVariable(variable) is { Length: > 0 } named)
                return named;
        }

        return FallbackRegionFactory.GetRegionEndpoint(includeInstanceMetadata: false)?.SystemName;
    }
}
