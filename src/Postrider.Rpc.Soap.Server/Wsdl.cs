using System.Collections.Concurrent;
using System.Globalization;
using System.Xml;
using Postrider.Rpc.Soap.Codecs;
using Postrider.Xml;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Describes a service in WSDL 1.1, as WCF does: one port for each version of SOAP, schemas of each namespace.</summary>
internal sealed class Wsdl
{
    private const string WsdlSpace = "http://schemas.xmlsoap.org/wsdl/";
    private const string Soap11Space = "http://schemas.xmlsoap.org/wsdl/soap/";
    private const string Soap12Space = "http://schemas.xmlsoap.org/wsdl/soap12/";
    private const string Transport = "http://schemas.xmlsoap.org/soap/http";

    // The number of host names used by callers; documents for further hosts are written for each request.
    private const int MaxKept = 64;

    private readonly string _service;
    private readonly string _space;
    private readonly IReadOnlyList<SoapHandler> _handlers;
    private readonly Dictionary<Operation, (string Name, XmlType Type)[]> _faults;
    private readonly Schemas _schemas;
    private readonly ConcurrentDictionary<string, byte[]> _kept = new(StringComparer.Ordinal);

    public Wsdl(RpcService service, IReadOnlyList<SoapHandler> handlers, RpcXmlCodec codec)
    {
        (_service, _handlers) = (service.Name, handlers);
        _space = handlers.Count > 0 ? handlers[0].Operation.Namespace : "http://tempuri.org/";
        _faults = handlers.ToDictionary(h => h.Operation, h => h.Operation.Faults.Select(f => (f.Name, Type: f.Accept(new TypeOf(codec)))).ToArray());
        _schemas = new Schemas(_space, handlers, [.. _faults.Values.SelectMany(f => f).Select(f => f.Type)], codec.Schemas);
    }

    /// <summary>One document that contains everything.</summary>
    public byte[] Single(string address) => Kept("single " + address, () => Definitions(address, isSingle: true));

    /// <summary>The document that refers to the schemas.</summary>
    public byte[] Definitions(string address) => Kept("wsdl " + address, () => Definitions(address, isSingle: false));

    /// <summary>A schema by its number, or null.</summary>
    public byte[]? Schema(string name, string address)
        => name.StartsWith("xsd", StringComparison.Ordinal) && int.TryParse(name.AsSpan(3), NumberStyles.None, CultureInfo.InvariantCulture, out var at) && at < _schemas.Namespaces.Count
            ? Kept(name + " " + address, () => Document(writer => _schemas.Write(writer, _schemas.Namespaces[at], address)))
            : null;

    private byte[] Kept(string key, Func<byte[]> make)
    {
        if (_kept.TryGetValue(key, out var document))
            return document;
        document = make();
        if (_kept.Count < MaxKept)
            _kept.TryAdd(key, document);
        return document;
    }

    private static byte[] Document(Action<XmlWriter> write)
    {
        using var output = new MemoryStream();
        using (var writer = XmlWriter.Create(output, new XmlWriterSettings { Indent = true, Encoding = new System.Text.UTF8Encoding(false) }))
            write(writer);
        return output.ToArray();
    }

    private byte[] Definitions(string address, bool isSingle) => Document(writer =>
    {
        writer.WriteStartElement("wsdl", "definitions", WsdlSpace);
        writer.WriteAttributeString("name", _service);
        writer.WriteAttributeString("targetNamespace", _space);
        writer.WriteAttributeString("xmlns", "tns", null, _space);
        writer.WriteAttributeString("xmlns", "soap", null, Soap11Space);
        writer.WriteAttributeString("xmlns", "soap12", null, Soap12Space);
        writer.WriteStartElement("types", WsdlSpace);
        if (isSingle)
        {
            foreach (var space in _schemas.Namespaces)
                _schemas.Write(writer, space, null);
        }
        else
        {
            _schemas.WriteImports(writer, _space, address);
        }

        writer.WriteEndElement();
        foreach (var handler in _handlers)
            Messages(writer, handler);
        PortType(writer);
        Binding(writer, "", Soap11Space);
        Binding(writer, "12", Soap12Space);
        writer.WriteStartElement("service", WsdlSpace);
        writer.WriteAttributeString("name", _service);
        Port(writer, "", Soap11Space, address);
        Port(writer, "12", Soap12Space, address);
        writer.WriteEndElement();
        writer.WriteEndElement();
    });

    private void Messages(XmlWriter writer, SoapHandler handler)
    {
        var name = handler.Operation.Name;
        Message(writer, $"{name}_Input", handler.IsEmpty ? null : (SoapText(handler.Element), SoapText(handler.Namespace)));
        if (handler.Operation.Kind == OperationKind.OneWay)
            return;
        Message(writer, $"{name}_Output", handler.Answer);
        foreach (var (fault, type) in _faults[handler.Operation])
        {
            writer.WriteStartElement("message", WsdlSpace);
            writer.WriteAttributeString("name", $"{name}_{fault}_Fault");
            writer.WriteStartElement("part", WsdlSpace);
            writer.WriteAttributeString("xmlns", "f", null, type.ElementNamespace);
            writer.WriteAttributeString("name", "detail");
            writer.WriteAttributeString("element", "f:" + type.Element);
            writer.WriteEndElement();
            writer.WriteEndElement();
        }
    }

    private void Message(XmlWriter writer, string name, (string Name, string Namespace)? element)
    {
        writer.WriteStartElement("message", WsdlSpace);
        writer.WriteAttributeString("name", name);
        if (element is { } there)
        {
            writer.WriteStartElement("part", WsdlSpace);
            if (there.Namespace != _space)
                writer.WriteAttributeString("xmlns", "q", null, there.Namespace);
            writer.WriteAttributeString("name", "parameters");
            writer.WriteAttributeString("element", (there.Namespace == _space ? "tns:" : "q:") + there.Name);
            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }

    private static string SoapText(byte[] utf8) => System.Text.Encoding.UTF8.GetString(utf8);

    private void PortType(XmlWriter writer)
    {
        writer.WriteStartElement("portType", WsdlSpace);
        writer.WriteAttributeString("name", _service);
        foreach (var handler in _handlers)
        {
            var name = handler.Operation.Name;
            writer.WriteStartElement("operation", WsdlSpace);
            writer.WriteAttributeString("name", name);
            Reference(writer, "input", null, $"tns:{name}_Input");
            if (handler.Operation.Kind != OperationKind.OneWay)
            {
                Reference(writer, "output", null, $"tns:{name}_Output");
                foreach (var (fault, _) in _faults[handler.Operation])
                    Reference(writer, "fault", fault, $"tns:{name}_{fault}_Fault");
            }

            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }

    private static void Reference(XmlWriter writer, string kind, string? name, string message)
    {
        writer.WriteStartElement(kind, WsdlSpace);
        if (name is not null)
            writer.WriteAttributeString("name", name);
        writer.WriteAttributeString("message", message);
        writer.WriteEndElement();
    }

    private void Binding(XmlWriter writer, string version, string space)
    {
        writer.WriteStartElement("binding", WsdlSpace);
        writer.WriteAttributeString("name", $"{_service}Soap{version}");
        writer.WriteAttributeString("type", "tns:" + _service);
        writer.WriteStartElement("binding", space);
        writer.WriteAttributeString("transport", Transport);
        writer.WriteAttributeString("style", "document");
        writer.WriteEndElement();
        foreach (var handler in _handlers)
        {
            writer.WriteStartElement("operation", WsdlSpace);
            writer.WriteAttributeString("name", handler.Operation.Name);
            writer.WriteStartElement("operation", space);
            writer.WriteAttributeString("soapAction", handler.Action);
            writer.WriteAttributeString("style", "document");
            writer.WriteEndElement();
            Body(writer, "input", space);
            if (handler.Operation.Kind != OperationKind.OneWay)
            {
                Body(writer, "output", space);
                foreach (var (fault, _) in _faults[handler.Operation])
                {
                    writer.WriteStartElement("fault", WsdlSpace);
                    writer.WriteAttributeString("name", fault);
                    writer.WriteStartElement("fault", space);
                    writer.WriteAttributeString("name", fault);
                    writer.WriteAttributeString("use", "literal");
                    writer.WriteEndElement();
                    writer.WriteEndElement();
                }
            }

            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }

    private static void Body(XmlWriter writer, string kind, string space)
    {
        writer.WriteStartElement(kind, WsdlSpace);
        writer.WriteStartElement("body", space);
        writer.WriteAttributeString("use", "literal");
        writer.WriteEndElement();
        writer.WriteEndElement();
    }

    private void Port(XmlWriter writer, string version, string space, string address)
    {
        writer.WriteStartElement("port", WsdlSpace);
        writer.WriteAttributeString("name", $"{_service}Soap{version}");
        writer.WriteAttributeString("binding", $"tns:{_service}Soap{version}");
        writer.WriteStartElement("address", space);
        writer.WriteAttributeString("location", address);
        writer.WriteEndElement();
        writer.WriteEndElement();
    }

    private sealed class TypeOf(RpcXmlCodec codec) : IFaultVisitor<XmlType>
    {
        public XmlType Visit<T>(FaultDescription<T> fault) => ((XmlValue<T>)codec.GetFormatter<T>().Serializer).Type;
    }
}
