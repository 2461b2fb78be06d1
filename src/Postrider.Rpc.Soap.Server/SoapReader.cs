using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Reads envelopes into calls of a service's operations.</summary>
internal sealed class SoapReader(SoapHandler[] handlers, XmlLimits? limits, bool understandsSecurity)
{
    // Header blocks of the contract use the namespace of the first operation: operations of base contracts come later.
    private readonly byte[] _namespace = SoapNames.Utf8(handlers.FirstOrDefault()?.Operation.Namespace ?? "");

    /// <summary>Reads an envelope.</summary>
    /// <param name="bytes">The envelope.</param>
    /// <param name="expected">The version in the content type; null if it has none.</param>
    /// <param name="action">The action outside the envelope, or null: it distinguishes operations with the same element.</param>
    /// <param name="attachments">The attachments, or null.</param>
    /// <exception cref="RpcException">It is not a valid call.</exception>
    /// <exception cref="Postrider.Xml.Elements.XmlDataException">It is not XML, or does not match the contract.</exception>
    public (SoapCall Call, SoapRequest? Request, SoapVersion Version) Read(ReadOnlySpan<byte> bytes, SoapVersion? expected, string? action = null, XmlAttachments? attachments = null)
    {
        var reader = new ElementReader(bytes, limits, attachments);
        var version = SoapEnvelope.Enter(ref reader, out var envelope);
        if (expected is not null && version != expected)
            throw new RpcException(RpcStatus.Unsupported, $"The envelope is {version}, but the content type is that of {expected}.");
        var isThere = SoapEnvelope.MoveToBody(ref reader, envelope, version, _namespace, out var request, out var body);
        action = request?.Action ?? action;
        var handler = isThere
            ? Find(ref reader, action) ?? throw new RpcException(RpcStatus.NotFound, $"Unknown operation {reader.Describe()}.")
            : FindEmpty(action) ?? throw new RpcException(RpcStatus.NotFound, "The Body is empty, so it does not identify an operation.");
        var call = handler.Read(ref reader, isThere);
        if (isThere)
            SoapEnvelope.Leave(ref reader, envelope, body);
        else
            SoapEnvelope.End(ref reader, envelope);
        Check(handler, request);
        return (call, request, version);
    }

    private void Check(SoapHandler handler, SoapRequest? request)
    {
        var demanded = request?.NotUnderstood
            ?? (handler.Operation.TakesContext ? null : request?.Demanded)
            ?? (request is { DemandsSecurity: true } && !understandsSecurity ? "'Security' of WS-Security" : null);
        if (demanded is not null)
            throw SoapFaultException.NotUnderstood(demanded);
        SoapAddressing.Check(request, handler.Action);
    }

    private SoapHandler? Find(ref ElementReader reader, string? action)
    {
        SoapHandler? found = null;
        foreach (var handler in handlers)
        {
            if (handler.IsEmpty || !reader.Is(handler.Element, handler.Namespace))
                continue;
            if (handler.Action == action)
                return handler;
            found ??= handler;
        }

        return found;
    }

    private SoapHandler? FindEmpty(string? action) => Array.Find(handlers, h => h.IsEmpty && h.Action == action);
}
