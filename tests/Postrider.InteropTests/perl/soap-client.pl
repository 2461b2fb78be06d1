# Perl's SOAP::Lite calls the store. Its WSDL reader knows rpc/encoded services only: the elements are written by hand.
use strict;
use warnings;
use utf8;
use MIME::Base64;
use SOAP::Lite;

binmode STDOUT, ':encoding(UTF-8)';
my ($address, $version) = @ARGV;
my $store = 'urn:postrider:store';
my $goods = 'urn:postrider:goods';
my $arrays = 'http://schemas.microsoft.com/2003/10/Serialization/Arrays';
my $action = 'urn:postrider:store/Store/';

if ($version eq 'soap12') {
    SOAP::Lite->soapversion('1.2');
    $SOAP::Constants::DEFAULT_HTTP_CONTENT_TYPE = 'application/soap+xml';
}
my $client = SOAP::Lite->new(proxy => $address, default_ns => $store);
$client->on_action(sub { '"' . $action . $_[1] . '"' });
$client->on_fault(sub { ref $_[1] ? $_[1] : die $client->transport->status });
# Its own types (xsi:type) are left away, and with them it leaves off escaping.
$client->autotype(0);

sub element { my ($name, @value) = @_; return SOAP::Data->name($name)->value(@value) }
sub inside { my ($namespace, $name, @value) = @_; return SOAP::Data->name($name)->uri($namespace)->prefix($namespace eq $goods ? 'g' : 'a')->value(@value) }
sub group { my @elements = @_; return \SOAP::Data->value(@elements) }
sub call { my ($operation, @arguments) = @_; return $client->call($operation, @arguments) }
sub line { print join(' ', @_), "\n" }

line('add', call('Add', element('a', 40), element('b', 2))->result);
my $sent = element('goods', group(
    inside($goods, 'Id', '00112233-4455-6677-8899-aabbccddeeff'),
    inside($goods, 'Name', SOAP::Utils::encode_data('Grüße & <Küsse>')),
    inside($goods, 'Price', '12.5'),
    inside($goods, 'Made', '2026-01-02T03:04:05Z'),
    inside($goods, 'Left', undef),
    inside($goods, 'Size', 'very-large'),
    inside($goods, 'Picture', 'AAEC/w=='),
    inside($goods, 'Parts', group(map { inside($goods, 'Part', group(inside($goods, 'Label', $_->[0]), inside($goods, 'Number', $_->[1]))) } ['a', '1'], ['b', '9007199254740993'])),
    inside($goods, 'IsFragile', 'true'),
    inside($goods, 'Weight', '1.5'),
));
my $back = call('Echo', $sent);
my $result = $back->result;
line('id', $result->{Id});
line('name', $result->{Name});
line('price', $result->{Price});
line('made', $result->{Made});
line('left', $result->{Left} // 'null');
line('size', $result->{Size});
line('picture', unpack('H*', decode_base64($result->{Picture})));
line('parts', map { "$_->{Label}=$_->{Number}" } $back->valueof('//Parts/Part'));
line('fragile', $result->{IsFragile});
line('weight', $result->{Weight});
my $reversed = call('Reverse', element('items', group(map { inside($arrays, 'string', $_) } qw(a b c))));
line('reverse', join(',', $reversed->valueof('//ReverseResult/string')));
line('bought', call('Buy', element('item', 'tea'), element('count', 2))->result);
my $told = call('Buy', element('item', 'tea'), element('count', 4));
my $detail = $told->faultdetail // $told->valueof('//Detail');
line('fault', text($told), '/', $detail->{SoldOut}{Item}, $detail->{SoldOut}{Left});
line('refused', text(call('Buy', element('item', 'tea'), element('count', -1))));
line('failed', text(call('Buy', element('item', 'tea'), element('count', 0))));
line('tenant', call('WhoAmI', SOAP::Header->name('Tenant')->uri($store)->prefix('s')->value('north'))->result);

# SOAP 1.2 has its text elsewhere.
sub text { my ($fault) = @_; return $fault->faultstring // $fault->valueof('//Reason/Text') }
