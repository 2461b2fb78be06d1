using Amazon.Runtime;

namespace Postrider.Transport.Aws;

/// <summary>Credentials that are asked for before each request.</summary>
internal sealed class CallbackCredentials(Func<ImmutableCredentials> current) : AWSCredentials
{
    public override ImmutableCredentials GetCredentials() => current();
}
