// The store by gSOAP, from its WSDL: 'call ADDRESS VERSION' and 'note ADDRESS' are the client, 'serve' is the service.
#include "StoreSoap.nsmap"
#include "soapStoreSoapProxy.h"
#include "soapStoreSoapService.h"
#include "wsaapi.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

const time_t MADE = 1767323045;  // 2026-01-02T03:04:05Z

template <class T>
T *kept(soap *soap, const T &value)
{
    T *one = (T *)soap_malloc(soap, sizeof(T));
    *one = value;
    return one;
}

std::string *text(soap *soap, const char *value)
{
    std::string *one = soap_new_std__string(soap);
    *one = value;
    return one;
}

int fail(StoreSoapProxy &store)
{
    store.soap_stream_fault(std::cerr);
    return 1;
}

ns3__SoldOut *sold_out(soap *soap)
{
    if (!soap->fault)
        return nullptr;
    SOAP_ENV__Detail *detail = soap->fault->SOAP_ENV__Detail ? soap->fault->SOAP_ENV__Detail : soap->fault->detail;
    return detail ? detail->ns3__SoldOut_ : nullptr;
}

/// Begins a call: with addressing it says what it wants and where the answer goes.
void begin(StoreSoapProxy &store, bool is_addressed, const char *operation)
{
    if (!is_addressed)
        return;
    std::string action = std::string("urn:postrider:store/Store/") + operation;
    soap_wsa_request(store.soap, soap_wsa_rand_uuid(store.soap), store.soap_endpoint, soap_strdup(store.soap, action.c_str()));
}

/// What came back belongs to what was asked.
int end(StoreSoapProxy &store, bool is_addressed, int status)
{
    if (status || !is_addressed)
        return status;
    if (soap_wsa_check(store.soap))
        return store.soap->error;
    const SOAP_ENV__Header *header = store.soap->header;
    if (header && header->wsa5__Action && header->wsa5__RelatesTo && header->wsa5__RelatesTo->__item)
        return SOAP_OK;
    fprintf(stderr, "the answer is not addressed\n");
    return SOAP_FAULT;
}

int buy(StoreSoapProxy &store, bool is_addressed, const char *item, int count, int *bought)
{
    _ns1__Buy request;
    _ns1__BuyResponse response;
    request.item = text(store.soap, item);
    request.count = &count;
    begin(store, is_addressed, "Buy");
    int status = end(store, is_addressed, store.Buy(&request, response));
    if (!status && bought)
        *bought = *response.BuyResult;
    return status;
}

int note(const char *address)
{
    StoreSoapProxy store(SOAP_C_UTFSTRING);
    store.soap_endpoint = address;
    _ns1__Note request;
    request.text = text(store.soap, "from gSOAP");
    if (store.send_Note(address, nullptr, &request) || store.recv_Note_empty_response())
        return fail(store);
    return 0;
}

int call(const char *address, const char *version)
{
    const bool is_addressed = strstr(version, "addressed") != nullptr;
    const bool is_mtom = strstr(version, "mtom") != nullptr;
    StoreSoapProxy store(SOAP_C_UTFSTRING | (is_mtom ? SOAP_ENC_MTOM : 0), SOAP_C_UTFSTRING | (is_mtom ? SOAP_ENC_MTOM : 0));
    store.soap_endpoint = address;
    soap_set_version(store.soap, strstr(version, "soap12") ? 2 : 1);
    if (is_addressed)
        soap_register_plugin(store.soap, soap_wsa);

    int a = 40, b = 2;
    _ns1__Add add;
    _ns1__AddResponse added;
    add.a = &a;
    add.b = &b;
    begin(store, is_addressed, "Add");
    if (end(store, is_addressed, store.Add(&add, added)))
        return fail(store);
    printf("add %d\n", *added.AddResult);

    // With attachments there is more than base 64 would be sent for.
    std::vector<unsigned char> bytes = {0, 1, 2, 255};
    for (int i = 0; is_mtom && i < 5000; i++)
        bytes.push_back((unsigned char)(i * 7));
    xsd__base64Binary picture;
    picture.__ptr = bytes.data();
    picture.__size = (int)bytes.size();
    if (is_mtom) {
        picture.id = soap_strdup(store.soap, "cid:picture@gsoap");
        picture.type = soap_strdup(store.soap, "application/octet-stream");
    }

    std::string price = "12.5";
    ns2__Size size = ns2__Size__very_large;
    bool fragile = true;
    double weight = 1.5;
    time_t made = MADE;
    LONG64 numbers[] = {1, 9007199254740993LL};
    ns2__Part parts[2];
    ns2__ArrayOfPart list;
    for (int i = 0; i < 2; i++) {
        parts[i].Label = text(store.soap, i ? "b" : "a");
        parts[i].Number = &numbers[i];
        list.Part.push_back(&parts[i]);
    }

    ns2__Goods goods;
    goods.Id = (char *)"00112233-4455-6677-8899-aabbccddeeff";
    goods.Name = text(store.soap, "Grüße & <Küsse>");
    goods.Price = &price;
    goods.Made = &made;
    goods.Size = &size;
    goods.Picture = &picture;
    goods.Parts = &list;
    goods.IsFragile = &fragile;
    goods.Weight = &weight;
    _ns1__Echo echo;
    _ns1__EchoResponse echoed;
    echo.goods = &goods;
    begin(store, is_addressed, "Echo");
    if (end(store, is_addressed, store.Echo(&echo, echoed)))
        return fail(store);
    const ns2__Goods &back = *echoed.EchoResult;
    char when[32];
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(back.Made));
    printf("id %s\nname %s\nprice %s\nmade %s\nleft %s\nsize %s\n", back.Id, back.Name->c_str(), back.Price->c_str(), when,
        back.Left ? "there" : "null", *back.Size == ns2__Size__very_large ? "very-large" : "small");
    if (is_mtom) {
        bool is_same = back.Picture->__size == (int)bytes.size() && !memcmp(back.Picture->__ptr, bytes.data(), bytes.size());
        printf("picture %s, %s\n", is_same ? "000102ff" : "another", back.Picture->id ? "attached" : "in the envelope");
    } else {
        printf("picture ");
        for (int i = 0; i < back.Picture->__size; i++)
            printf("%02x", back.Picture->__ptr[i]);
        printf("\n");
    }
    printf("parts");
    for (ns2__Part *part : back.Parts->Part)
        printf(" %s=%lld", part->Label->c_str(), (long long)*part->Number);
    printf("\nfragile %s\nweight %g\n", *back.IsFragile ? "true" : "false", *back.Weight);

    arr__ArrayOfstring items;
    items.string = {"a", "b", "c"};
    _ns1__Reverse reverse;
    _ns1__ReverseResponse reversed;
    reverse.items = &items;
    begin(store, is_addressed, "Reverse");
    if (end(store, is_addressed, store.Reverse(&reverse, reversed)))
        return fail(store);
    const std::vector<std::string> &words = reversed.ReverseResult->string;
    printf("reverse %s,%s,%s\n", words.at(0).c_str(), words.at(1).c_str(), words.at(2).c_str());

    int bought = 0;
    if (buy(store, is_addressed, "tea", 2, &bought))
        return fail(store);
    printf("bought %d\n", bought);
    if (buy(store, is_addressed, "tea", 4, nullptr) != SOAP_FAULT || !sold_out(store.soap))
        return fail(store);
    printf("fault %s / %s %d\n", store.soap_fault_string(), sold_out(store.soap)->Item->c_str(), *sold_out(store.soap)->Left);
    if (buy(store, is_addressed, "tea", -1, nullptr) != SOAP_FAULT)
        return fail(store);
    printf("refused %s\n", store.soap_fault_string());
    if (buy(store, is_addressed, "tea", 0, nullptr) != SOAP_FAULT)
        return fail(store);
    printf("failed %s\n", store.soap_fault_string());

    _ns1__WhoAmI who;
    _ns1__WhoAmIResponse told;
    begin(store, is_addressed, "WhoAmI");
    if (!is_addressed)
        store.soap_header(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    store.soap->header->ns1__Tenant = (char *)"north";
    if (end(store, is_addressed, store.WhoAmI(&who, told)))
        return fail(store);
    printf("tenant %s\n", told.WhoAmIResult->c_str());
    return 0;
}

class Store : public StoreSoapService {
public:
    Store() : StoreSoapService(SOAP_C_UTFSTRING | SOAP_ENC_MTOM, SOAP_C_UTFSTRING | SOAP_ENC_MTOM) {}

    StoreSoapService *copy() override { return nullptr; }

    int Add(_ns1__Add *in, _ns1__AddResponse &out) override
    {
        out.AddResult = kept(soap, *in->a + *in->b);
        return SOAP_OK;
    }

    int Echo(_ns1__Echo *in, _ns1__EchoResponse &out) override
    {
        out.EchoResult = in->goods;
        return SOAP_OK;
    }

    int Reverse(_ns1__Reverse *in, _ns1__ReverseResponse &out) override
    {
        out.ReverseResult = in->items;
        std::reverse(out.ReverseResult->string.begin(), out.ReverseResult->string.end());
        return SOAP_OK;
    }

    int Buy(_ns1__Buy *in, _ns1__BuyResponse &out) override
    {
        if (*in->count <= 3) {
            out.BuyResult = in->count;
            return SOAP_OK;
        }
        int status = soap_senderfault("Only 3 are left.", nullptr);
        SOAP_ENV__Detail *detail = soap_new_SOAP_ENV__Detail(soap);
        detail->ns3__SoldOut_ = soap_new_ns3__SoldOut(soap);
        detail->ns3__SoldOut_->Item = in->item;
        detail->ns3__SoldOut_->Left = kept(soap, 3);
        if (soap->version == 2)
            soap->fault->SOAP_ENV__Detail = detail;
        else
            soap->fault->detail = detail;
        return status;
    }

    int WhoAmI(_ns1__WhoAmI *, _ns1__WhoAmIResponse &out) override
    {
        out.WhoAmIResult = text(soap, soap->header && soap->header->ns1__Tenant ? soap->header->ns1__Tenant : "nobody");
        soap->header = nullptr;
        return SOAP_OK;
    }

    int Note(_ns1__Note *) override { return send_Note_empty_response(202); }
    int Add_(_ns1__Add *in, _ns1__AddResponse &out) override { return Add(in, out); }
    int Echo_(_ns1__Echo *in, _ns1__EchoResponse &out) override { return Echo(in, out); }
    int Reverse_(_ns1__Reverse *in, _ns1__ReverseResponse &out) override { return Reverse(in, out); }
    int Buy_(_ns1__Buy *in, _ns1__BuyResponse &out) override { return Buy(in, out); }
    int WhoAmI_(_ns1__WhoAmI *in, _ns1__WhoAmIResponse &out) override { return WhoAmI(in, out); }
    int Note_(_ns1__Note *in) override { return Note(in); }
};

int serve()
{
    Store store;
    store.soap->bind_flags = SO_REUSEADDR;
    if (store.bind("127.0.0.1", 0, 16) < 0)
        return 1;
    sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(store.soap->master, (sockaddr *)&address, &length))
        return 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    while (store.accept() >= 0) {
        store.serve();
        store.destroy();
    }
    return 1;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "call"))
        return call(argv[2], argv[3]);
    if (argc == 3 && !strcmp(argv[1], "note"))
        return note(argv[2]);
    return argc == 2 && !strcmp(argv[1], "serve") ? serve() : 2;
}
