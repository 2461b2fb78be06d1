using System.Diagnostics;

namespace Postrider.Diagnostics;

/// <summary>The span of the transport around the handling of a received message.</summary>
/// <remarks>Source: OpenTelemetry messaging conventions, spans of the kind consumer.</remarks>
internal static class ProcessSpan
{
    /// <summary>Marks the current span as failed: the transport's code does not see an exception that became a reply or a retry.</summary>
    internal static void Fail(Exception failure)
    {
        if (Activity.Current is { Kind: ActivityKind.Consumer, Status: ActivityStatusCode.Unset } span)
            span.SetStatus(ActivityStatusCode.Error, failure.Message).SetTag("error.type", failure.GetType().FullName);
    }
}
