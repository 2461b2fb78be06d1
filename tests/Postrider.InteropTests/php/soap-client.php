<?php
// PHP's SoapClient calls the store from its WSDL.
[, $address, $version] = $argv;
$client = new SoapClient("$address?wsdl", [
    'soap_version' => $version === 'soap12' ? SOAP_1_2 : SOAP_1_1,
    'cache_wsdl' => WSDL_CACHE_NONE,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
    'trace' => true,
]);

function fault(SoapClient $client, string $item, int $count): SoapFault
{
    try {
        $client->Buy(['item' => $item, 'count' => $count]);
    } catch (SoapFault $told) {
        return $told;
    }
    throw new LogicException('no fault');
}

if ($version === 'note') {
    $client->Note(['text' => 'from PHP']);
    exit;
}

function line(string ...$words): void
{
    echo implode(' ', $words), "\n";
}

line('add', $client->Add(['a' => 40, 'b' => 2])->AddResult);
$back = $client->Echo(['goods' => [
    'Id' => '00112233-4455-6677-8899-aabbccddeeff',
    'Name' => 'Grüße & <Küsse>',
    'Price' => '12.5',
    'Made' => '2026-01-02T03:04:05Z',
    'Left' => null,
    'Size' => 'very-large',
    'Picture' => "\x00\x01\x02\xff",
    'Parts' => ['Part' => [['Label' => 'a', 'Number' => 1], ['Label' => 'b', 'Number' => 9007199254740993]]],
    'IsFragile' => true,
    'Weight' => 1.5,
]])->EchoResult;
line('id', $back->Id);
line('name', $back->Name);
line('price', $back->Price);
line('made', $back->Made);
line('left', $back->Left ?? 'null');
line('size', $back->Size);
line('picture', bin2hex($back->Picture));
line('parts', ...array_map(fn ($part) => "$part->Label=$part->Number", $back->Parts->Part));
line('fragile', $back->IsFragile ? 'true' : 'false');
line('weight', $back->Weight);
line('reverse', implode(',', $client->Reverse(['items' => ['string' => ['a', 'b', 'c']]])->ReverseResult->string));
line('bought', $client->Buy(['item' => 'tea', 'count' => 2])->BuyResult);
$told = fault($client, 'tea', 4);
$detail = $told->detail->SoldOut;
$detail = $detail instanceof SoapVar ? $detail->enc_value : $detail;
line('fault', $told->getMessage(), '/', $detail->Item, $detail->Left);
line('refused', fault($client, 'tea', -1)->getMessage());
line('failed', fault($client, 'tea', 0)->getMessage());
$client->__setSoapHeaders(new SoapHeader('urn:postrider:store', 'Tenant', 'north'));
line('tenant', $client->WhoAmI([])->WhoAmIResult);
