using System.Xml.Linq;

namespace Postrider.CommandLine.Wsdl;

/// <summary>Reads the contracts of a description: the port types that have a SOAP binding.</summary>
internal sealed class WsdlReader
{
    private readonly WsdlDocuments _documents;
    private readonly SchemaReader _schemas;
    private readonly Dictionary<XName, XElement> _messages;
    private readonly Dictionary<XName, XElement> _portTypes;

    private WsdlReader(WsdlDocuments documents)
    {
        _documents = documents;
        _schemas = new SchemaReader(documents.Schemas);
        _messages = Table("message");
        _portTypes = Table("portType");
    }

    /// <summary>Reads a description into C#.</summary>
    /// <param name="documents">The description.</param>
    /// <param name="space">The namespace of the output; null for none.</param>
    /// <exception cref="WsdlException">A part cannot be expressed in a contract.</exception>
    internal static string Write(WsdlDocuments documents, string? space)
    {
        var reader = new WsdlReader(documents);
        var services = reader.Services();
        reader._schemas.ReachDerived();
        if (reader._schemas.Problems.Count > 0)
            throw new WsdlException([.. reader._schemas.Problems.Distinct(StringComparer.Ordinal)]);
        return ContractText.Write(services, reader._schemas.Declarations, space);
    }

    private static XName Qualified(XElement at) => (XNamespace)((string?)at.Ancestors(WsdlNames.Wsdl + "definitions").First().Attribute("targetNamespace") ?? "") + ((string?)at.Attribute("name") ?? "");

    private static XElement? Soap(XElement at, string name) => at.Element(WsdlNames.Soap11 + name) ?? at.Element(WsdlNames.Soap12 + name);

    private Dictionary<XName, XElement> Table(string name)
    {
        var table = new Dictionary<XName, XElement>();
        foreach (var one in _documents.Definitions.Elements(WsdlNames.Wsdl + name))
            table.TryAdd(Qualified(one), one);
        return table;
    }

    private List<ServiceText> Services()
    {
        var bindings = _documents.Definitions.Elements(WsdlNames.Wsdl + "binding").ToList();
        var spoken = bindings.Where(b => Soap(b, "binding") is not null).ToList();
        if (spoken.Count == 0)
        {
            var other = bindings.FirstOrDefault()?.Elements().FirstOrDefault(e => e.Name.LocalName == "binding");
            throw new WsdlException(other is null
                ? $"{WsdlDocuments.Place(_documents.Definitions.FirstOrDefault() ?? _documents.Schemas[0])}: it has no binding."
                : $"{WsdlDocuments.Place(other)}: the binding is for '{other.Name.NamespaceName}', not for SOAP 1.1 or 1.2.");
        }

        var services = new List<ServiceText>();
        foreach (var group in spoken.GroupBy(b => SchemaReader.Name(b, "type")))
        {
            if (group.Key is null || !_portTypes.TryGetValue(group.Key, out var portType))
            {
                _schemas.Refuse(group.First(), $"there is no portType '{(string?)group.First().Attribute("type")}'");
                continue;
            }

            services.Add(Service(portType, [.. group]));
        }

        return services;
    }

    private ServiceText Service(XElement portType, List<XElement> bindings)
    {
        // Two bindings of one port type are two versions of SOAP and are the same otherwise.
        var binding = bindings[0];
        var soap = Soap(binding, "binding")!;
        if ((string?)soap.Attribute("transport") is { } transport && transport is not ("http://schemas.xmlsoap.org/soap/http" or "http://www.w3.org/2003/05/soap/bindings/HTTP/"))
            _schemas.Refuse(soap, $"the transport is '{transport}', not HTTP");
        var wireName = (string?)portType.Attribute("name") ?? "Service";
        var name = Identifiers.Of(wireName);
        var service = new ServiceText(wireName, _schemas.Names.Take(name.Length > 1 && name[0] == 'I' && char.IsUpper(name[1]) ? name : "I" + char.ToUpperInvariant(name[0]) + name[1..]));
        var isRpc = (string?)soap.Attribute("style") == "rpc";
        foreach (var operation in portType.Elements(WsdlNames.Wsdl + "operation"))
        {
            var bound = binding.Elements(WsdlNames.Wsdl + "operation").FirstOrDefault(o => (string?)o.Attribute("name") == (string?)operation.Attribute("name"));
            if (bound is not null)
                service.Operations.Add(Operation(service, operation, bound, isRpc));
        }

        foreach (var port in _documents.Definitions.Elements(WsdlNames.Wsdl + "service").Elements(WsdlNames.Wsdl + "port"))
        {
            if (bindings.Exists(b => SchemaReader.Name(port, "binding") == Qualified(b)) && (string?)Soap(port, "address")?.Attribute("location") is { } address && !service.Addresses.Contains(address))
                service.Addresses.Add(address);
        }

        if (service.Namespace.Length == 0)
            service.Namespace = Qualified(portType).NamespaceName;
        return service;
    }

    private OperationText Operation(ServiceText service, XElement operation, XElement bound, bool isRpc)
    {
        var read = new OperationText((string?)operation.Attribute("name") ?? "");
        var soap = Soap(bound, "operation");
        if (((string?)soap?.Attribute("style") ?? (isRpc ? "rpc" : "document")) != "document")
            _schemas.Refuse(soap ?? bound, $"the operation '{read.Name}' uses the style rpc: only document is supported");
        foreach (var body in bound.Elements().Select(e => Soap(e, "body")).Where(b => (string?)b?.Attribute("use") == "encoded"))
            _schemas.Refuse(body!, $"the operation '{read.Name}' is encoded: only literal is supported");
        read.Action = (string?)soap?.Attribute("soapAction");
        read.Documentation = (string?)operation.Element(WsdlNames.Wsdl + "documentation");
        foreach (var header in bound.Elements(WsdlNames.Wsdl + "input").Elements().Where(e => e.Name.LocalName == "header"))
        {
            read.TakesContext = true;
            read.Remarks.Add($"The header {(string?)header.Attribute("part")} of the message {(string?)header.Attribute("message")}: text goes in CallContext.Headers by the element's name.");
        }

        var input = Part(operation.Element(WsdlNames.Wsdl + "input"), operation);
        var output = operation.Element(WsdlNames.Wsdl + "output");
        read.IsOneWay = output is null;
        read.ReplyAction = output?.Attributes().FirstOrDefault(a => a.Name.LocalName == "Action" && a.Name.NamespaceName.Contains("/addressing/", StringComparison.Ordinal))?.Value;
        var back = output is null ? null : Part(output, operation);
        if (!TryWrapped(service, read, input, back, output is null))
            Bare(read, input, back);
        foreach (var fault in operation.Elements(WsdlNames.Wsdl + "fault"))
        {
            if (Part(fault, operation) is { } detail && _schemas.Root(detail) is var type && !read.Faults.Contains(type))
                read.Faults.Add(type);
        }

        return read;
    }

    // The element of a message's only part; null if it has none.
    private XElement? Part(XElement? reference, XElement operation)
    {
        if (reference is null || SchemaReader.Name(reference, "message") is not { } name || !_messages.TryGetValue(name, out var message))
        {
            _schemas.Refuse(reference ?? operation, $"there is no message '{(string?)reference?.Attribute("message")}'");
            return null;
        }

        var parts = message.Elements(WsdlNames.Wsdl + "part").ToList();
        if (parts.Count > 1)
            parts = [.. parts.Where(p => (string?)p.Attribute("name") is "parameters" or "body")];
        if (parts.Count != 1)
        {
            if (message.Elements(WsdlNames.Wsdl + "part").Any())
                _schemas.Refuse(message, $"the message '{name.LocalName}' has several parts: only one part, an element, is supported");
            return null;
        }

        if (SchemaReader.Name(parts[0], "element") is not { } element)
            _schemas.Refuse(parts[0], $"the part '{(string?)parts[0].Attribute("name")}' refers to a type (style rpc): only elements are supported");
        else if (_schemas.Element(element) is { } found)
            return found;
        else
            _schemas.Refuse(parts[0], $"the namespace '{element.NamespaceName}' has no element '{element.LocalName}'");
        return null;
    }

    private bool TryWrapped(ServiceText service, OperationText read, XElement? input, XElement? back, bool isOneWay)
    {
        if (input is null || SchemaReader.NameOf(input) != read.Name || _schemas.Sequence(input) is not { } parameters)
            return false;
        var results = isOneWay ? [] : back is not null && SchemaReader.NameOf(back) == read.Name + "Response" ? _schemas.Sequence(back) : null;
        var space = (string?)input.Ancestors(WsdlNames.Xs + "schema").First().Attribute("targetNamespace") ?? "";
        if (results is null || (service.Namespace.Length > 0 && service.Namespace != space))
            return false;
        service.Namespace = space;
        var names = new Identifiers("context", "ct");
        foreach (var parameter in parameters)
            read.Inputs.Add(Parameter(parameter, read, names));
        foreach (var result in results)
        {
            var known = read.Inputs.Find(p => p.Element == SchemaReader.NameOf(result));
            var isFirst = read.Outputs.Count == 0;
            read.Outputs.Add(isFirst || known is null ? Parameter(result, read, names) : known with { Type = _schemas.Use(result, read.Name) });
        }

        return true;
    }

    private ParameterText Parameter(XElement element, OperationText operation, Identifiers names)
    {
        var name = SchemaReader.NameOf(element);
        if (SchemaReader.IsMany(element))
            _schemas.Refuse(element, $"the parameter '{name}' is repeated: a data contract puts a list into its own element");
        if (element.Attribute("ref") is null && ((string?)element.Attribute("form") ?? (string?)element.Ancestors(WsdlNames.Xs + "schema").First().Attribute("elementFormDefault")) != "qualified")
            _schemas.Refuse(element, $"the parameter '{name}' has no namespace (elementFormDefault is not qualified)");
        return new(name, names.Take(name), _schemas.Use(element, operation.Name));
    }

    private void Bare(OperationText read, XElement? input, XElement? back)
    {
        read.IsBare = true;
        if (input is not null)
            read.Inputs.Add(new(SchemaReader.NameOf(input), Identifiers.Of(char.ToLowerInvariant(SchemaReader.NameOf(input)[0]) + SchemaReader.NameOf(input)[1..]), _schemas.Root(input)));
        if (back is not null)
            read.Outputs.Add(new(read.Name + "Result", "result", _schemas.Root(back)));
    }
}
