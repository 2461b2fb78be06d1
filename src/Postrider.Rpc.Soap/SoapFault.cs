using System.Buffers;
using System.Security;
using System.Text;
using System.Xml;
using Postrider.Rpc.Soap.Codecs;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>Failures in SOAP's format.</summary>
internal static class SoapFault
{
    /// <summary>Writes an envelope with a fault.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="failure">The failure.</param>
    /// <param name="header">The headers.</param>
    /// <param name="thrown">The exception: it may have a SOAP code, a code of an extension or a custom code.</param>
    public static void Write(IBufferWriter<byte> output, CallFailure failure, in SoapHeader header, Exception? thrown = null)
    {
        var code = thrown as SoapFaultException;
        var own = thrown as ISoapFault;
        var isCallers = own?.IsCallers ?? failure.Status is RpcStatus.Fault or RpcStatus.InvalidData or RpcStatus.NotFound or RpcStatus.TooLarge or RpcStatus.Unsupported
            or RpcStatus.Unauthenticated or RpcStatus.Forbidden or RpcStatus.ProtocolError;
        var writer = new ElementWriter(output);
        SoapEnvelope.Begin(ref writer, header, default);
        if (header.Version == SoapVersion.Soap11)
        {
            writer.WriteRaw("<s:Fault><faultcode"u8);
            if (own?.Code is { } name)
                Code(ref writer, own, name, "s:");
            else
                Code(ref writer, code, isCallers ? "Client"u8 : "Server"u8);
            writer.WriteRaw("</faultcode><faultstring xml:lang=\"en\">"u8);
            writer.WriteText(Clean(failure.Message));
            writer.WriteRaw("</faultstring>"u8);
            Detail(ref writer, failure, "<detail>"u8, "</detail>"u8);
        }
        else
        {
            writer.WriteRaw("<s:Fault><s:Code><s:Value"u8);
            Code(ref writer, code?.Space is null ? code : null, isCallers ? "Sender"u8 : "Receiver"u8);
            writer.WriteRaw("</s:Value>"u8);
            if (code?.Space is not null)
            {
                writer.WriteRaw("<s:Subcode><s:Value"u8);
                Code(ref writer, code, default);
                writer.WriteRaw("</s:Value></s:Subcode>"u8);
            }
            else if (own?.Code is { } name)
            {
                writer.WriteRaw("<s:Subcode><s:Value"u8);
                Code(ref writer, own, name, "");
                writer.WriteRaw("</s:Value></s:Subcode>"u8);
            }

            writer.WriteRaw("</s:Code><s:Reason><s:Text xml:lang=\"en\">"u8);
            writer.WriteText(Clean(failure.Message));
            writer.WriteRaw("</s:Text></s:Reason>"u8);
            Detail(ref writer, failure, "<s:Detail>"u8, "</s:Detail>"u8);
        }

        writer.WriteRaw("</s:Fault>"u8);
        SoapEnvelope.End(ref writer);
        writer.Flush();
    }

    /// <summary>The exception for the fault at the reader's position.</summary>
    /// <param name="reader">Positioned at the fault.</param>
    /// <param name="operation">The operation that was called.</param>
    /// <param name="faults">The declared faults.</param>
    /// <param name="told">The status, if a Postrider server sent it.</param>
    public static RpcException Read(ref ElementReader reader, Operation operation, SoapFaultReader[] faults, RpcStatus? told)
    {
        var code = "";
        var message = "";
        RpcException? typed = null;
        string? unknown = null;
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (reader.LocalName.SequenceEqual("faultcode"u8))
                code = reader.TryReadText(out var told11) ? told11 : "";
            else if (reader.LocalName.SequenceEqual("Code"u8))
                code = Codes(ref reader);
            else if (reader.LocalName.SequenceEqual("faultstring"u8))
                message = reader.TryReadText(out var text) ? text : "";
            else if (reader.LocalName.SequenceEqual("Reason"u8))
                message = Value(ref reader, "Text"u8);
            else if (reader.LocalName.SequenceEqual("detail"u8) || reader.LocalName.SequenceEqual("Detail"u8))
                (typed, unknown) = Detail(ref reader, faults, message);
            else
                reader.Skip();
        }

        if (typed is not null)
            return typed;
        var status = told ?? Status(code);
        if (status is RpcStatus.Ok or RpcStatus.Fault)
            status = RpcStatus.Internal;
        var words = unknown is null ? message : $"{message} (the detail {unknown} is not in the contract)";
        return operation.Failure?.Invoke(status, words, code[(code.AsSpan().LastIndexOfAny(' ', ':') + 1)..]) ?? new RpcException(status, words);
    }

    private static RpcStatus Status(string code)
    {
        return Has("FailedAuthentication") || Has("InvalidSecurity") || Has("FailedCheck") || Has("MessageExpired") ? RpcStatus.Unauthenticated
        : Has("ActionNotSupported") ? RpcStatus.NotFound
        : Has("Client") || Has("Sender") ? RpcStatus.InvalidData
        : Has("MustUnderstand") || Has("VersionMismatch") ? RpcStatus.Unsupported
        : RpcStatus.Internal;

        bool Has(string name) => code.Contains(name, StringComparison.Ordinal);
    }

    // The code and its nested codes, separated by spaces.
    private static string Codes(ref ElementReader reader)
    {
        var codes = "";
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (reader.LocalName.SequenceEqual("Value"u8))
                codes += reader.TryReadText(out var text) ? " " + text : "";
            else if (reader.LocalName.SequenceEqual("Subcode"u8))
                codes += Codes(ref reader);
            else
                reader.Skip();
        }

        return codes;
    }

    // The code as a name with its prefix, after the start tag's name.
    private static void Code(ref ElementWriter writer, SoapFaultException? code, ReadOnlySpan<byte> usual)
    {
        if (code?.Space is { } space)
        {
            writer.WriteRaw(" xmlns:c=\""u8);
            writer.WriteRaw(Encoding.UTF8.GetBytes(space));
            writer.WriteRaw("\""u8);
        }

        writer.WriteRaw(code?.Space is null ? ">s:"u8 : ">c:"u8);
        writer.WriteRaw(code is null ? usual : Encoding.UTF8.GetBytes(code.Code));
    }

    // The same for an exception's custom code, which may be any text.
    private static void Code(ref ElementWriter writer, ISoapFault own, string name, string unspaced)
    {
        if (own.CodeNamespace is { Length: > 0 } space)
        {
            writer.WriteRaw(" xmlns:c=\""u8);
            writer.WriteRaw(Encoding.UTF8.GetBytes(SecurityElement.Escape(Clean(space))));
            writer.WriteRaw("\">c:"u8);
        }
        else
        {
            writer.WriteRaw(Encoding.UTF8.GetBytes(">" + unspaced));
        }

        writer.WriteText(XmlConvert.EncodeLocalName(Clean(name)));
    }

    private static string Value(ref ElementReader reader, ReadOnlySpan<byte> name)
    {
        var value = "";
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (value.Length == 0 && reader.LocalName.SequenceEqual(name))
                value = reader.TryReadText(out var text) ? text : "";
            else
                reader.Skip();
        }

        return value;
    }

    private static (RpcException? Typed, string? Unknown) Detail(ref ElementReader reader, SoapFaultReader[] faults, string message)
    {
        RpcException? typed = null;
        string? unknown = null;
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            foreach (var fault in faults)
            {
                if (typed is null && reader.Is(fault.Element, fault.Namespace))
                    typed = fault.Read(ref reader, message);
                if (typed is not null)
                    break;
            }

            if (typed is not null)
                continue;
            unknown ??= reader.Describe();
            reader.Skip();
        }

        return (typed, unknown);
    }

    private static void Detail(ref ElementWriter writer, CallFailure failure, ReadOnlySpan<byte> begin, ReadOnlySpan<byte> end)
    {
        if (failure.Detail.IsEmpty)
            return;
        writer.WriteRaw(begin);
        writer.WriteRaw(failure.Detail.Span);
        writer.WriteRaw(end);
    }

    // A message may quote received data: it must not break the envelope of the fault.
    private static string Clean(string message)
    {
        var clean = new StringBuilder(message.Length);
        foreach (var rune in message.EnumerateRunes())
            clean.Append(rune.Value is 9 or 10 or (>= 32 and not (0xFFFE or 0xFFFF)) ? rune.ToString() : "\uFFFD");
        return clean.ToString();
    }
}

/// <summary>Reads the detail of one fault.</summary>
internal abstract class SoapFaultReader(string element, string space)
{
    public byte[] Element { get; } = Encoding.UTF8.GetBytes(element);

    public byte[] Namespace { get; } = Encoding.UTF8.GetBytes(space);

    public abstract RpcException Read(ref ElementReader reader, string message);

    public static SoapFaultReader[] For(Operation operation, RpcXmlCodec codec) => [.. operation.Faults.Select(f => f.Accept(new Maker(codec)))];

    private sealed class Maker(RpcXmlCodec codec) : IFaultVisitor<SoapFaultReader>
    {
        public SoapFaultReader Visit<T>(FaultDescription<T> fault) => new OfT<T>(fault, ((XmlValue<T>)codec.GetFormatter<T>().Serializer).Type);
    }

    private sealed class OfT<T>(FaultDescription<T> fault, XmlType<T> type) : SoapFaultReader(type.Element, type.ElementNamespace)
    {
        public override RpcException Read(ref ElementReader reader, string message) => fault.Make(type.Read(ref reader), message);
    }
}
