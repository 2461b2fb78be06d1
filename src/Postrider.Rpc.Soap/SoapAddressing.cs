using System.Text;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>The headers of WS-Addressing. Source: Web Services Addressing 1.0, Core and SOAP Binding (W3C, 2006).</summary>
internal static class SoapAddressing
{
    public const string Anonymous = "http://www.w3.org/2005/08/addressing/anonymous";
    public const string None = "http://www.w3.org/2005/08/addressing/none";
    public const string FaultAction = "http://www.w3.org/2005/08/addressing/fault";
    public const string SoapFaultAction = "http://www.w3.org/2005/08/addressing/soap/fault";

    public static ReadOnlySpan<byte> Space => "http://www.w3.org/2005/08/addressing"u8;

    public static void Write(ref ElementWriter writer, in SoapHeader header)
    {
        if (header.Action is null)
            return;
        writer.WriteRaw("<w:Action xmlns:w=\"http://www.w3.org/2005/08/addressing\" s:mustUnderstand=\"1\">"u8);
        writer.WriteText(header.Action);
        writer.WriteRaw("</w:Action>"u8);
        if (header.RelatesTo is not null)
        {
            writer.WriteRaw("<w:RelatesTo xmlns:w=\"http://www.w3.org/2005/08/addressing\">"u8);
            writer.WriteText(header.RelatesTo);
            writer.WriteRaw("</w:RelatesTo>"u8);
        }

        if (header.To is null)
            return;
        writer.WriteRaw("<w:MessageID xmlns:w=\"http://www.w3.org/2005/08/addressing\">urn:uuid:"u8);
        writer.WriteRaw(Encoding.UTF8.GetBytes(Guid.NewGuid().ToString()));
        writer.WriteRaw("</w:MessageID><w:ReplyTo xmlns:w=\"http://www.w3.org/2005/08/addressing\"><w:Address>http://www.w3.org/2005/08/addressing/anonymous</w:Address></w:ReplyTo><w:To xmlns:w=\"http://www.w3.org/2005/08/addressing\" s:mustUnderstand=\"1\">"u8);
        writer.WriteText(header.To);
        writer.WriteRaw("</w:To>"u8);
    }

    /// <summary>Reads the header at the reader's position.</summary>
    /// <exception cref="SoapFaultException">It occurs twice.</exception>
    public static void Read(ref ElementReader reader, SoapRequest request)
    {
        request.IsAddressed = true;
        if (reader.LocalName.SequenceEqual("Action"u8))
            request.Action = Once(request.Action, Text(ref reader), "Action");
        else if (reader.LocalName.SequenceEqual("MessageID"u8))
            request.MessageId = Once(request.MessageId, Text(ref reader), "MessageID");
        else if (reader.LocalName.SequenceEqual("RelatesTo"u8))
            request.RelatesTo ??= Text(ref reader);
        else if (reader.LocalName.SequenceEqual("ReplyTo"u8))
            request.ReplyTo = Once(request.ReplyTo, Address(ref reader), "ReplyTo");
        else
            reader.Skip();
    }

    /// <summary>Rejects unsupported settings: responses are sent on the same connection, and the action must be that of the operation.</summary>
    /// <exception cref="SoapFaultException">It cannot.</exception>
    public static void Check(SoapRequest? request, string action)
    {
        if (request is not { IsAddressed: true })
            return;
        if (request.Action is null)
            throw Fault("MessageAddressingHeaderRequired", "The message has WS-Addressing headers but no Action.");
        if (request.Action.Trim() != action)
            throw Fault("ActionNotSupported", $"The action '{request.Action}' does not match the message in the Body, whose action is '{action}'.");
        if (request.ReplyTo?.Trim() is not (null or Anonymous or None))
            throw Fault("OnlyAnonymousAddressSupported", "The response is sent on the same connection: ReplyTo must be anonymous.");
    }

    private static string Once(string? before, string now, string name)
        => before is null ? now : throw Fault("InvalidAddressingHeader", $"{name} occurs twice.");

    private static SoapFaultException Fault(string code, string message) => new(RpcStatus.InvalidData, SoapFaultException.Addressing, code, message);

    private static string Text(ref ElementReader reader) => reader.TryReadText(out var text) ? text : "";

    private static string Address(ref ElementReader reader)
    {
        var address = "";
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (reader.Is("Address"u8, Space))
                address = Text(ref reader);
            else
                reader.Skip();
        }

        return address;
    }
}
