extern alias wcf;

using System.Text;
using System.Xml;
using wcf::System.ServiceModel;
using wcf::System.ServiceModel.Channels;
using Basic = wcf::System.ServiceModel.BasicHttpBinding;
using Ws = wcf::System.ServiceModel.WSHttpBinding;

namespace Postrider.InteropTests.Soap;

/// <summary>WCF's own client against a contract that uses what contracts of WCF use, over each of its bindings.</summary>
/// <remarks>One after the other with the other tests of that client: its serializer loses count of its contracts when threads meet them first ("DataContract cache overflow").</remarks>
[Collection("DataContractSerializer")]
public sealed class WcfContractTests(ArchiveHost host) : IClassFixture<ArchiveHost>
{
    private const int MaxMessageBytes = 16 * 1024 * 1024;

    public static TheoryData<string, bool, string> Checks
    {
        get
        {
            var rows = new TheoryData<string, bool, string>();
            foreach (var binding in (string[])["basic", "basic, SOAP 1.2", "basic, MTOM", "basic, streamed", "WS", "WS, MTOM"])
            {
                foreach (var check in ArchiveChecks.All.Keys)
                {
                    rows.Add(binding, true, check);
                    rows.Add(binding, false, check);
                }
            }

            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Checks))]
    public void Real_client_meets_what_it_knows_of_WCF(string binding, bool isUrn, string check)
    {
        if (isUrn)
            Check<IUrnArchive>(binding, "/urn.svc", channel => ArchiveChecks.All[check](ArchiveProxy.Of(channel)));
        else
            Check(binding, "/http.svc", ArchiveChecks.All[check]);
    }

    private void Check<TContract>(string binding, string path, Action<TContract> check)
    {
        using var factory = new ChannelFactory<TContract>(BindingOf(binding), new EndpointAddress(host.Address + path));
        check(factory.CreateChannel());
    }

    private static Binding BindingOf(string binding) => binding switch
    {
        "basic" => Raised(new Basic { MaxBufferSize = MaxMessageBytes }),
        "basic, SOAP 1.2" => new CustomBinding(
            new TextMessageEncodingBindingElement(MessageVersion.CreateVersion(EnvelopeVersion.Soap12, AddressingVersion.None), Encoding.UTF8) { ReaderQuotas = XmlDictionaryReaderQuotas.Max },
            new HttpTransportBindingElement { MaxReceivedMessageSize = MaxMessageBytes, MaxBufferSize = MaxMessageBytes }),
        "basic, MTOM" => Raised(new Basic { MessageEncoding = WSMessageEncoding.Mtom, MaxBufferSize = MaxMessageBytes }),
        "basic, streamed" => Raised(new Basic { TransferMode = TransferMode.Streamed }),
        "WS" => Raised(new Ws(SecurityMode.None)),
        _ => Raised(new Ws(SecurityMode.None) { MessageEncoding = WSMessageEncoding.Mtom }),
    };

    // The client's own limits are below some of the answers.
    private static Basic Raised(Basic binding)
    {
        (binding.MaxReceivedMessageSize, binding.ReaderQuotas) = (MaxMessageBytes, XmlDictionaryReaderQuotas.Max);
        return binding;
    }

    private static Ws Raised(Ws binding)
    {
        (binding.MaxReceivedMessageSize, binding.ReaderQuotas) = (MaxMessageBytes, XmlDictionaryReaderQuotas.Max);
        return binding;
    }
}
