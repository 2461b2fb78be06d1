using System;
using System.Collections.Generic;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.Threading.Tasks;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc;

namespace Postrider.Benchmarks.Peers.CoreWcf;

/// <summary>WCF's own client, one channel that stays open.</summary>
internal sealed class WcfClient : IEcho, IDisposable
{
    private readonly ChannelFactory<IWcfEcho> _factory;
    private readonly IWcfEcho _channel;

    private WcfClient(Binding binding, Uri address)
    {
        _factory = new ChannelFactory<IWcfEcho>(binding, new EndpointAddress(address));
        _channel = _factory.CreateChannel();
        ((IClientChannel)_channel).Open();
    }

    public static WcfClient Basic(Uri address)
    {
        var binding = new BasicHttpBinding { MaxReceivedMessageSize = int.MaxValue, MaxBufferSize = int.MaxValue };
        binding.ReaderQuotas = System.Xml.XmlDictionaryReaderQuotas.Max;
        return new(binding, address);
    }

    public static WcfClient Binary(Uri address)
        => new(new CustomBinding(new BinaryMessageEncodingBindingElement(), new HttpTransportBindingElement { MaxReceivedMessageSize = int.MaxValue, MaxBufferSize = int.MaxValue }), address);

    public async ValueTask<List<Small>> SmallAsync(List<Small> items) => await _channel.SmallAsync(items);

    public async ValueTask<List<Large>> LargeAsync(List<Large> items) => await _channel.LargeAsync(items);

    public void Dispose()
    {
        ((IClientChannel)_channel).Close();
        _factory.Close();
    }
}
