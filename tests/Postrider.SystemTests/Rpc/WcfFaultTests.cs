using System.Net;
using System.ServiceModel;
using System.Xml.Linq;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>The exceptions of a contract that was WCF's: thrown and caught as they were, with WCF's codes in the envelope.</summary>
public sealed class WcfFaultTests : IAsyncLifetime
{
    private static readonly RpcJsonCodec s_json = new(ClaimsJson.Default);
    private WebApplication _app = null!;

    public async ValueTask InitializeAsync()
        => _app = await DeskHost.StartAsync(
            routes =>
            {
                routes.MapSoap("/claims.svc", ClaimsContract.Serve(new Claims()), ClaimsXml.Default);
                routes.MapRpc(ClaimsContract.Serve(new Claims()), [s_json]);
            },
            HttpProtocols.Http1);

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    // The codes of SOAP 1.1 as WCF wrote them; SOAP 1.2 has its own outside and others within.
    [Theory]
    [InlineData("words", "s:Client", "s:Sender", null)]
    [InlineData("reason", "s:Client", "s:Sender", null)]
    [InlineData("code", "s:Late", "s:Sender", "Late")]
    [InlineData("spaced", "{urn:codes?a&\"b\"}Late", "s:Sender", "{urn:codes?a&\"b\"}Late")]
    [InlineData("receiver", "{urn:codes}Full", "s:Receiver", "{urn:codes}Full")]
    [InlineData("server", "s:Server", "s:Receiver", null)]
    [InlineData("odd", "s:a_x0020__x003C_b_x003E_", "s:Sender", "a_x0020__x003C_b_x003E_")]
    [InlineData("detail", "s:Late", "s:Sender", "Late")]
    [InlineData("bare detail", "s:Client", "s:Sender", null)]
    [InlineData("other", "s:Server", "s:Receiver", null)]
    public async Task Fault_has_the_codes_that_its_exception_gives(string how, string code11, string code12, string? subcode)
    {
        XNamespace soap12 = "http://www.w3.org/2003/05/soap-envelope";

        var fault11 = await AskAsync("http://schemas.xmlsoap.org/soap/envelope/", "text/xml", how);
        var fault12 = await AskAsync(soap12.NamespaceName, "application/soap+xml", how);

        var code = fault12.Element(soap12 + "Code")!;
        Assert.Equal(code11, Resolved(fault11.Element("faultcode")!));
        Assert.Equal((code12, subcode), (Resolved(code.Element(soap12 + "Value")!), code.Element(soap12 + "Subcode") is { } inner ? Resolved(inner.Element(soap12 + "Value")!) : null));
    }

    [Theory]
    [InlineData("words", "No.", "Client")]
    [InlineData("spaced", "No.", "Late")]
    [InlineData("other", "The operation failed.", "Server")]
    public void Caller_catches_the_exception_by_soap(string how, string words, string code)
    {
        var claims = new ClaimsClient(new SoapChannel(new Uri(_app.Urls.Single() + "/claims.svc"), ClaimsXml.Default));

        var fault = Assert.Throws<FaultException>(() => claims.Claim(how));

        Assert.Equal((words, words, words, code), (fault.Message, fault.Reason.ToString(), fault.Reason.GetMatchingTranslation().Text, fault.Code.Name));
    }

    [Fact]
    public void Caller_catches_the_exception_with_its_detail()
    {
        RpcChannel[] channels = [new SoapChannel(new Uri(_app.Urls.Single() + "/claims.svc"), ClaimsXml.Default), new HttpChannel(new Uri(_app.Urls.Single()), s_json)];

        Assert.All(channels, channel =>
        {
            var fault = Assert.Throws<FaultException<Refusal>>(() => new ClaimsClient(channel).Claim("detail"));
            Assert.Equal(("late", "No."), (fault.Detail.Why, fault.Reason.ToString()));
        });
    }

    [Theory]
    [InlineData("code", "No.")]
    [InlineData("other", "The operation failed.")]
    public void Caller_catches_the_exception_by_http(string how, string words)
    {
        var claims = new ClaimsClient(new HttpChannel(new Uri(_app.Urls.Single()), s_json));

        var fault = Assert.Throws<FaultException>(() => claims.Claim(how));

        Assert.Equal((words, true), (fault.Message, fault.Code.IsReceiverFault));
    }

    private static string Resolved(XElement value)
    {
        var parts = value.Value.Split(':');
        return parts is [var prefix, var name] && prefix != "s" ? $"{{{value.GetNamespaceOfPrefix(prefix)}}}{name}" : value.Value;
    }

    private async Task<XElement> AskAsync(string envelope, string type, string how)
    {
        using var caller = new HttpClient();
        using var content = new StringContent($"<e:Envelope xmlns:e=\"{envelope}\"><e:Body><Claim xmlns=\"urn:claims\"><how>{how}</how></Claim></e:Body></e:Envelope>", System.Text.Encoding.UTF8, type);
        content.Headers.Add("SOAPAction", "\"urn:claims/IClaims/Claim\"");

        using var response = await caller.PostAsync(new Uri(_app.Urls.Single() + "/claims.svc"), content);

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        return XDocument.Parse(await response.Content.ReadAsStringAsync()).Descendants((XNamespace)envelope + "Fault").Single();
    }
}
